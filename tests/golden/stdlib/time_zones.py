# Zones of the system: changes of the past, rules of the future, times that are there twice or never.
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC', 'Africa/Casablanca', 'Europe/Dublin', 'America/Sao_Paulo', 'Asia/Tokyo']
for key in zones:
    zone = ZoneInfo(key)
    total, utc = 0, datetime(1969, 12, 1, tzinfo=timezone.utc)
    for i in range(300):
        local = (utc + timedelta(days=100 * i, hours=7 * i)).astimezone(zone)
        total = (total * 31 + int(local.utcoffset().total_seconds()) + 7 * local.fold + len(local.tzname())) % 1000003
        plain = datetime(1971 + i // 4, 1 + i % 12, 1 + i % 28, i % 24, 30, tzinfo=zone, fold=i % 2)
        total = (total * 31 + int(plain.utcoffset().total_seconds()) + int(plain.astimezone(timezone.utc).timestamp())) % 1000003
    print(key, total, repr(zone), zone is ZoneInfo(key))
ny = ZoneInfo('America/New_York')
for moment in (datetime(2024, 3, 10, 2, 30, tzinfo=ny), datetime(2024, 11, 3, 1, 30, tzinfo=ny), datetime(2060, 11, 7, 1, 30, tzinfo=ny)):
    for fold in (0, 1):
        at = moment.replace(fold=fold)
        print(at, at.utcoffset(), at.dst(), at.tzname(), at.astimezone(timezone.utc), at.timestamp())
back = [(datetime(2024, 11, 3, 4, 30, tzinfo=timezone.utc) + timedelta(hours=i)).astimezone(ny) for i in range(4)]
print([(at.isoformat(), at.fold) for at in back])
for bad in ('Mars/Olympus', '../x', '/etc/passwd', ''):
    try:
        print(ZoneInfo(bad))
    except (ZoneInfoNotFoundError, ValueError) as error:
        print(type(error).__name__)

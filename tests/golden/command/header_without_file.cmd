header_without_file.pk -h

# status: 3
nowhere.pk

# status: 3
--error-format=json nowhere.pk

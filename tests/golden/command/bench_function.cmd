bench add.pk

build add.pk

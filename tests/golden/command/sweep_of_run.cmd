run add.pk --sweep n=1:2

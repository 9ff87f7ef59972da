# status: 3
add_any.pk:add -o add.o

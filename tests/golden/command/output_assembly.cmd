# status: 3
print_after.pk -o /tmp/no_such_folder_here/weird.s

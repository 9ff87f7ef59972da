test modules -vsxk=kernel

help 'exit status' code

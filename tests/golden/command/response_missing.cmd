# status: 3
@nowhere

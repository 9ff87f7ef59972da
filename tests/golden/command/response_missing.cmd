@nowhere

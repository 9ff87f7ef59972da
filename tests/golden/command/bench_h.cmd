bench -h

test doctested --doctest-modules -v

# Two sources that use the library: each has an evaluator of its own, which makes its own classes and texts.
../../../dsl-examples/first-steps/add.pk ../../../dsl-examples/norm/layer_norm.pk -shared -o /dev/null

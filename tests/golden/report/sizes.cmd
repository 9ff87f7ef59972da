# status: 0
--report --target-cpu=x86-64-v3 -o /dev/null people.pk --entry 'sized = raised(f32[{8,16},128])'

# status: 3
bench --sweep n=1:4 --svg /no/folder/x.svg entry_names.pk:g 'f32[n], 3'

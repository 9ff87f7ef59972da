run methods.pk:Scaled.twice 3 by=5

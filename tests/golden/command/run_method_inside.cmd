run methods.pk:Scaled.Inner.thrice 3

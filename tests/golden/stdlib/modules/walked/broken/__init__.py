raise ImportError('broken')

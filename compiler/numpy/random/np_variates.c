// SPDX-License-Identifier: Apache-2.0
// Gamma: Marsaglia and Tsang 2000, Ahrens and Dieter 1974 (shapes below 1). Beta: Jöhnk 1964.
// Poisson: Hörmann 1993 (PTRS). Binomial: Kachitvichyanukul and Schmeiser 1988 (BTPE). Von Mises:
// Best and Fisher 1979. Zipf: Devroye 1986. Logarithmic series: Kemp 1981. Wald: Michael 1976.
// Hypergeometric: Stadlober 1990 (HRUA), and urns that are drawn from.
#include "np_variates.h"
#include "base/base.h"
#include <tgmath.h> // of either precision
#include <string.h>

#define PI 3.14159265358979323846

static double unit(Stream *s) { return stream_next_double(s); }

// ---- floats -------------------------------------------------------------------------------------

// In a precision: of uniform, exponential and normal deviates of it.
#define GAMMA(Real, name, uniform, exponential, normal)                                            \
  Real name(Stream *s, const Ziggurats *z, Real shape) {                                           \
    if (shape == 1) return exponential;                                                            \
    if (shape == 0) return 0;                                                                      \
    if (shape < 1) {                                                                               \
      for (;;) {                                                                                   \
        Real u = uniform, v = exponential;                                                         \
        if (u <= 1 - shape) {                                                                      \
          Real x = pow(u, 1 / shape);                                                              \
          if (x <= v) return x;                                                                    \
        } else {                                                                                   \
          Real y = -log((1 - u) / shape), x = pow(1 - shape + shape * y, 1 / shape);               \
          if (x <= v + y) return x;                                                                \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    Real b = shape - (Real)1 / 3, c = 1 / sqrt(9 * b);                                             \
    for (;;) {                                                                                     \
      Real x, v;                                                                                   \
      do {                                                                                         \
        x = normal;                                                                                \
        v = 1 + c * x;                                                                             \
      } while (v <= 0);                                                                            \
      v = v * v * v;                                                                               \
      Real u = uniform;                                                                            \
      if (u < 1 - (Real)0.0331 * (x * x) * (x * x)) return b * v;                                  \
      if (log(u) < (Real)0.5 * x * x + b * (1 - v + log(v))) return b * v;                         \
    }                                                                                              \
  }
GAMMA(double, draw_gamma, unit(s), draw_exponential(s, z), draw_normal(s, z))
// For Generator alone.
static GAMMA(float, draw_gamma_float, stream_next_float(s),
             draw_exponential_float(s, &z->narrow_exponential), draw_normal_float(s, &z->narrow))
#undef GAMMA

    static double beta_of_small(Stream *s, double a, double b) {
  const double tiny = 3e-103;
  if (!s->is_old && a < tiny && b < tiny) return (a + b) * unit(s) < a ? 1 : 0;
  for (;;) {
    double u = unit(s), v = unit(s), x = pow(u, 1 / a), y = pow(v, 1 / b), sum = x + y;
    if (sum > 1 || (!s->is_old && u + v <= 0)) continue;
    if (s->is_old ? sum > 0 : x > 0 && y > 0) return x / sum;
    double p = log(u) / a, q = log(v) / b, most = p > q ? p : q;
    p -= most;
    q -= most;
    return exp(p - log(exp(p) + exp(q)));
  }
}

double draw_beta(Stream *s, const Ziggurats *z, double a, double b) {
  if (a <= 1 && b <= 1) return beta_of_small(s, a, b);
  double x = draw_gamma(s, z, a), y = draw_gamma(s, z, b);
  return x / (x + y);
}

#define REAL(name) static double name(Stream *s, const Ziggurats *z UNUSED, const double *p UNUSED)
REAL(standard_gamma_float) { return (double)draw_gamma_float(s, z, (float)p[0]); }
REAL(standard_gamma) { return draw_gamma(s, z, p[0]); }
REAL(gamma_of) { return p[1] * draw_gamma(s, z, p[0]); }
REAL(beta) { return draw_beta(s, z, p[0], p[1]); }
REAL(chisquare) { return 2 * draw_gamma(s, z, p[0] / 2); }
REAL(f_of) {
  double above = 2 * draw_gamma(s, z, p[0] / 2) * p[1];
  return above / (2 * draw_gamma(s, z, p[1] / 2) * p[0]);
}
REAL(cauchy) {
  double above = draw_normal(s, z);
  return above / draw_normal(s, z);
}
REAL(pareto) {
  double x = draw_exponential(s, z) / p[0];
  return s->is_old ? exp(x) - 1 : expm1(x);
}
REAL(weibull) { return p[0] == 0 ? 0 : pow(draw_exponential(s, z), 1 / p[0]); }
REAL(power_of) {
  double x = draw_exponential(s, z);
  return pow(s->is_old ? 1 - exp(-x) : -expm1(-x), 1 / p[0]);
}
REAL(rayleigh) {
  return s->is_old ? p[0] * sqrt(-2 * log1p(-unit(s))) : p[0] * sqrt(2 * draw_exponential(s, z));
}
REAL(student) {
  double above = draw_normal(s, z), below = draw_gamma(s, z, p[0] / 2);
  return sqrt(p[0] / 2) * above / sqrt(below);
}
REAL(triangular) {
  double base = p[2] - p[0], left = p[1] - p[0], u = unit(s);
  return u <= left / base ? p[0] + sqrt(u * (left * base))
                          : p[2] - sqrt((1 - u) * ((p[2] - p[1]) * base));
}

static double wrapped(double x) {
  double turned = fmod(fabs(x) + PI, 2 * PI) - PI;
  return x < 0 ? -turned : turned;
}

REAL(vonmises) {
  double mu = p[0], kappa = p[1], scale;
  if (isnan(kappa)) return NAN;
  if (kappa < 1e-8) return PI * (2 * unit(s) - 1);
  if (kappa < 1e-5) {
    scale = 1 / kappa + kappa;
  } else if (kappa <= 1e6 || s->is_old) {
    double r = 1 + sqrt(1 + 4 * kappa * kappa), rho = (r - sqrt(2 * r)) / (2 * kappa);
    scale = (1 + rho * rho) / (2 * rho);
  } else {
    double x = mu + sqrt(1 / kappa) * draw_normal(s, z);
    return x < -PI ? x + 2 * PI : x > PI ? x - 2 * PI : x;
  }
  for (;;) {
    double u = unit(s), c = cos(PI * u), w = (1 + scale * c) / (scale + c), y = kappa * (scale - w),
           v = unit(s);
    if (y * (2 - y) - v < 0 && log(y / v) + 1 - y < 0) continue;
    double x = acos(w);
    return wrapped((unit(s) < 0.5 ? -x : x) + mu);
  }
}

REAL(wald) {
  double mean = p[0], scale = p[1];
  if (mean == 0) return 0;
  double y = draw_normal(s, z), x;
  y = mean * y * y;
  if (s->is_old)
    x = mean + mean / (2 * scale) * (y - sqrt(4 * scale * y + y * y));
  else
    x = mean * (1 - 2 / (1 + sqrt(1 + 4 * scale / y)));
  return unit(s) <= mean / (mean + x) ? x : mean * mean / x;
}

// ---- integers -----------------------------------------------------------------------------------

#define WHOLE(name)                                                                                \
  static int64_t name(Stream *s, const Ziggurats *z UNUSED, const double *p UNUSED)

// The logarithm of the gamma function, by Stirling's series.
static double log_gamma(double x) {
  static const double terms[] = {
      8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
      8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
      1.796443723688307e-01, -1.39243221690590e+00};
  if (x == 1 || x == 2) return 0;
  int64_t n = x < 7 ? (int64_t)(7 - x) : 0;
  double y = x + (double)n, square = (1 / y) * (1 / y), sum = terms[9];
  for (int k = 8; k >= 0; k--) sum = sum * square + terms[k];
  double result = sum / y + 0.5 * 1.8378770664093453 + (y - 0.5) * log(y) - y;
  for (int64_t k = 0; k < n; k++, y -= 1) result -= log(y - 1);
  return result;
}

static int64_t poisson_of_many(Stream *s, double mean) {
  double root = sqrt(mean), log_mean = log(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b,
         inverse = 1.1239 + 1.1328 / (b - 3.4), most = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    double u = unit(s) - 0.5, v = unit(s), near = 0.5 - fabs(u);
    int64_t k = (int64_t)floor((2 * a / near + b) * u + mean + 0.43);
    if (near >= 0.07 && v <= most) return k;
    if (k < 0 || (near < 0.013 && v > near)) continue;
    if (log(v) + log(inverse) - log(a / (near * near) + b) <=
        -mean + (double)k * log_mean - log_gamma((double)k + 1))
      return k;
  }
}

static int64_t draw_poisson(Stream *s, double mean) {
  if (mean >= 10) return poisson_of_many(s, mean);
  if (mean == 0) return 0;
  double least = exp(-mean), product = 1;
  for (int64_t k = 0;; k++) {
    product *= unit(s);
    if (product <= least) return k;
  }
}

static int64_t binomial_by_inversion(Stream *s, double p, int64_t n) {
  double q = 1 - p;
  if (s->binomial.p != p || s->binomial.n != n) {
    double mean = (double)n * p, limit = mean + 10 * sqrt(mean * q + 1);
    s->binomial.p = p, s->binomial.n = n;
    s->binomial.none = exp((double)n * (s->is_old ? log(q) : log1p(-p)));
    s->binomial.most = (int64_t)((double)n < limit ? (double)n : limit);
  }
  const double none = s->binomial.none;
  int64_t most = s->binomial.most, x = 0;
  double chance = none, u = unit(s);
  while (u > chance) {
    x++;
    if (x > most) {
      x = 0;
      chance = none;
      u = unit(s);
    } else {
      u -= chance;
      chance = ((double)(n - x + 1) * p * chance) / ((double)x * q);
    }
  }
  return x;
}

// The tail of Stirling's series, of x and its square.
static double stirling(double x) {
  double square = x * x;
  return (13680. - (462. - (132. - (99. - 140. / square) / square) / square) / square) / x /
         166320.;
}

typedef struct Btpe {
  double n, r, q, nrq, middle; // of the lesser of both chances
  double xm, p1;
} Btpe;

// Whether y is taken, where v is a number under the hat.
static bool btpe_takes(const Btpe *b, int64_t y, double v) {
  int64_t m = (int64_t)b->middle, k = y < m ? m - y : y - m;
  double distance = (double)k;
  if (!(k > 20 && distance < b->nrq / 2.0 - 1)) {
    double ratio = b->r / b->q, a = ratio * (b->n + 1), product = 1;
    for (int64_t i = m + 1; i <= y; i++) product *= a / (double)i - ratio;
    for (int64_t i = y + 1; i <= m; i++) product /= a / (double)i - ratio;
    return v <= product;
  }
  double rho = (distance / b->nrq) *
               ((distance * (distance / 3.0 + 0.625) + 0.16666666666666666) / b->nrq + 0.5),
         t = -distance * distance / (2 * b->nrq), log_v = log(v);
  if (log_v < t - rho) return true;
  if (log_v > t + rho) return false;
  double x1 = (double)(y + 1), f1 = (double)(m + 1), z1 = b->n + 1 - (double)m,
         w = b->n - (double)y + 1;
  return log_v <= b->xm * log(f1 / x1) + (b->n - (double)m + 0.5) * log(z1 / w) +
                      (double)(y - m) * log(w * b->r / (x1 * b->q)) + stirling(f1) + stirling(z1) +
                      stirling(x1) + stirling(w);
}

static int64_t binomial_of_many(Stream *s, double p, int64_t n) {
  Btpe b = {.n = (double)n, .r = p < 1 - p ? p : 1 - p};
  b.q = 1 - b.r;
  double fm = b.n * b.r + b.r;
  b.middle = floor(fm);
  b.p1 = floor(2.195 * sqrt(b.n * b.r * b.q) - 4.6 * b.q) + 0.5;
  b.xm = b.middle + 0.5;
  b.nrq = b.n * b.r * b.q;
  double xl = b.xm - b.p1, xr = b.xm + b.p1, c = 0.134 + 20.5 / (15.3 + b.middle);
  double a = (fm - xl) / (fm - xl * b.r), left = a * (1 + a / 2);
  a = (xr - fm) / (xr * b.q);
  double right = a * (1 + a / 2), p2 = b.p1 * (1 + 2 * c), p3 = p2 + c / left, p4 = p3 + c / right;
  int64_t y;
  for (;;) {
    double u = unit(s) * p4, v = unit(s);
    if (u <= b.p1) {
      y = (int64_t)floor(b.xm - b.p1 * v + u);
      break;
    }
    if (u <= p2) {
      double x = xl + (u - b.p1) / c;
      v = v * c + 1 - fabs(b.middle - x + 0.5) / b.p1;
      if (v > 1) continue;
      y = (int64_t)floor(x);
    } else if (u <= p3) {
      y = (int64_t)floor(xl + log(v) / left);
      if (y < 0 || v == 0) continue;
      v = v * (u - p2) * left;
    } else {
      y = (int64_t)floor(xr - log(v) / right);
      if (y > n || v == 0) continue;
      v = v * (u - p3) * right;
    }
    if (btpe_takes(&b, y, v)) break;
  }
  return p > 0.5 ? n - y : y;
}

int64_t draw_binomial(Stream *s, double p, int64_t n) {
  if (!s->is_old && (n == 0 || p == 0)) return 0; // the older functions draw all the same
  if (p <= 0.5)
    return p * (double)n <= 30 ? binomial_by_inversion(s, p, n) : binomial_of_many(s, p, n);
  double q = 1 - p;
  return n - (q * (double)n <= 30 ? binomial_by_inversion(s, q, n) : binomial_of_many(s, q, n));
}

// ---- urns ---------------------------------------------------------------------------------------
typedef struct Urn {
  int64_t good, bad, drawn;
} Urn;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// One draw after the other, of the lesser part of the urn.
static int64_t urn_by_draws(Stream *s, Urn urn) {
  int64_t total = urn.good + urn.bad, left = total, good = urn.good;
  bool is_rest = urn.drawn > total / 2;
  for (int64_t n = is_rest ? total - urn.drawn : urn.drawn; n > 0; n--) {
    if (good == 0) break;
    if (left == good) {
      good -= n;
      break;
    }
    if ((int64_t)stream_interval(s, (uint64_t)--left) < good) good--;
  }
  return is_rest ? good : urn.good - good;
}

// The same by the older functions: of the rarer kind of things, how often each is met.
static int64_t urn_by_old_draws(Stream *s, Urn urn) {
  double rare = (double)least(urn.good, urn.bad), rest = rare;
  int64_t others = urn.good + urn.bad - urn.drawn;
  for (int64_t n = urn.drawn; n > 0 && rest > 0; n--)
    rest -= floor(unit(s) + rest / (double)(others + n));
  int64_t met = (int64_t)(rare - rest);
  return urn.good > urn.bad ? urn.drawn - met : met;
}

// The logarithm of the product of the factorials that the chance of `met` is the inverse of.
static double urn_log_ways(int64_t met, int64_t rare, int64_t common, int64_t drawn) {
  return log_gamma((double)met + 1) + log_gamma((double)(rare - met) + 1) +
         log_gamma((double)(drawn - met) + 1) + log_gamma((double)(common - drawn + met) + 1);
}

static int64_t urn_of_many(Stream *s, Urn urn) {
  int64_t total = urn.good + urn.bad, rare = least(urn.good, urn.bad), common = total - rare,
          drawn = least(urn.drawn, total - urn.drawn);
  double chance = (double)rare / (double)total, other = (double)common / (double)total,
         middle = (double)drawn * chance + 0.5,
         // The older functions' variance is of all that are drawn.
      count = (double)(s->is_old ? urn.drawn : drawn),
         spread =
             sqrt((double)(total - drawn) * count * chance * other / (double)(total - 1) + 0.5);
  double width = 1.7155277699214135 * spread + 0.8989161620588988;
  int64_t mode = (int64_t)floor((double)(drawn + 1) * (double)(rare + 1) / (double)(total + 2)),
          met;
  double peak = urn_log_ways(mode, rare, common, drawn),
         end = fmin((double)least(drawn, rare) + 1, floor(middle + 16 * spread));
  for (;;) {
    double u = unit(s), v = unit(s), x = middle + width * (v - 0.5) / u;
    if (x < 0 || x >= end) continue;
    met = (int64_t)floor(x);
    double t = peak - urn_log_ways(met, rare, common, drawn);
    if (u * (4 - u) - 3 <= t) break;
    if (u * (u - t) < 1 && 2 * log(u) <= t) break;
  }
  if (urn.good > urn.bad) met = drawn - met;
  return drawn < urn.drawn ? urn.good - met : met;
}

static int64_t draw_hypergeometric(Stream *s, Urn urn) {
  if (s->is_old) return urn.drawn > 10 ? urn_of_many(s, urn) : urn_by_old_draws(s, urn);
  bool are_many = urn.drawn >= 10 && urn.drawn <= urn.good + urn.bad - 10;
  return are_many ? urn_of_many(s, urn) : urn_by_draws(s, urn);
}

WHOLE(hypergeometric) {
  return draw_hypergeometric(s, (Urn){(int64_t)p[0], (int64_t)p[1], (int64_t)p[2]});
}

WHOLE(poisson) { return draw_poisson(s, p[0]); }
WHOLE(binomial) { return draw_binomial(s, p[1], (int64_t)p[0]); }
REAL(noncentral_chisquare) {
  double df = p[0], nonc = p[1];
  if (isnan(nonc)) return NAN;
  if (nonc == 0) return 2 * draw_gamma(s, z, df / 2);
  if (df > 1) {
    double square = 2 * draw_gamma(s, z, (df - 1) / 2), n = draw_normal(s, z) + sqrt(nonc);
    return square + n * n;
  }
  int64_t more = draw_poisson(s, nonc / 2);
  return 2 * draw_gamma(s, z, (df + 2 * (double)more) / 2);
}
REAL(noncentral_f) {
  double above = noncentral_chisquare(s, z, (double[]){p[0], p[2]}) * p[1];
  return above / (2 * draw_gamma(s, z, p[1] / 2) * p[0]);
}
WHOLE(negative_binomial) { return draw_poisson(s, draw_gamma(s, z, p[0]) * ((1 - p[1]) / p[1])); }

WHOLE(geometric) {
  if (p[0] >= 0.333333333333333333333333) {
    int64_t x = 1;
    double sum = p[0], product = p[0], q = 1 - p[0], u = unit(s);
    for (; u > sum; x++) {
      product *= q;
      sum += product;
    }
    return x;
  }
  double x = s->is_old ? ceil(log1p(-unit(s)) / log(1 - p[0]))
                       : ceil(-draw_exponential(s, z) / log1p(-p[0]));
  return x >= 9.223372036854776e18 ? INT64_MAX : (int64_t)x;
}

// How many of each colour are among `wanted` of an urn's balls, drawn colour by colour.
void draw_colors(Stream *s, int64_t colors, const int64_t *balls, int64_t wanted, int64_t *out) {
  int64_t left = 0;
  for (int64_t i = 0; i < colors; i++) left += balls[i];
  bool is_rest = wanted > left / 2; // those that stay are fewer
  if (is_rest) wanted = left - wanted;
  for (int64_t i = 0; i < colors; i++) out[i] = 0;
  for (int64_t i = 0; wanted > 0 && i + 1 < colors; i++) {
    left -= balls[i];
    out[i] = draw_hypergeometric(s, (Urn){balls[i], left, wanted});
    wanted -= out[i];
  }
  if (wanted > 0) out[colors - 1] = wanted;
  for (int64_t i = 0; is_rest && i < colors; i++) out[i] = balls[i] - out[i];
}

WHOLE(zipf) {
  if (!s->is_old && p[0] >= 1025) return 1; // as NumPy: 2 is less likely than the least double
  double less = p[0] - 1, b = pow(2, less), least = s->is_old ? 0 : pow(0x1p63, -less);
  for (;;) {
    double first = unit(s), u = s->is_old ? 1 - first : first * least + (1 - first), v = unit(s),
           x = floor(pow(u, -1 / less));
    if (x > 0x1p63 || x < 1) continue;
    double t = pow(1 + 1 / x, less);
    if (v * x * (t - 1) / (b - 1) <= t / b) return (int64_t)x;
  }
}

WHOLE(logseries) {
  double r = log1p(-p[0]);
  for (;;) {
    double v = unit(s);
    if (v >= p[0]) return 1;
    double q = -expm1(r * unit(s));
    if (v <= q * q) {
      double x = floor(1 + log(v) / log(q));
      if (x < 1 || v == 0) continue;
      return (int64_t)x;
    }
    return v >= q ? 1 : 2;
  }
}

const Variate *variate_find(Str name) {
  static const Variate all[] = {
      {"standard_gamma", standard_gamma, NULL},
      {"standard_gamma_float", standard_gamma_float, NULL},
      {"gamma", gamma_of, NULL},
      {"beta", beta, NULL},
      {"chisquare", chisquare, NULL},
      {"f", f_of, NULL},
      {"standard_cauchy", cauchy, NULL},
      {"pareto", pareto, NULL},
      {"weibull", weibull, NULL},
      {"power", power_of, NULL},
      {"rayleigh", rayleigh, NULL},
      {"standard_t", student, NULL},
      {"triangular", triangular, NULL},
      {"vonmises", vonmises, NULL},
      {"wald", wald, NULL},
      {"noncentral_chisquare", noncentral_chisquare, NULL},
      {"noncentral_f", noncentral_f, NULL},
      {"hypergeometric", NULL, hypergeometric},
      {"poisson", NULL, poisson},
      {"binomial", NULL, binomial},
      {"negative_binomial", NULL, negative_binomial},
      {"geometric", NULL, geometric},
      {"zipf", NULL, zipf},
      {"logseries", NULL, logseries},
  };
  for (size_t i = 0; i < COUNT_OF(all); i++)
    if (str_equal(name, str_from_c(all[i].name))) return &all[i];
  return NULL;
}

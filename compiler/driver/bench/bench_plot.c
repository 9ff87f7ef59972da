// SPDX-License-Identifier: Apache-2.0
// A curve over sizes as SVG: sizes across by their logarithm, values up from zero.
#include <math.h>
#include "base/buf.h"
#include "bench.h"

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, RIGHT = 20, TOP = 50, BOTTOM = 50, GRID_LINES = 5 };

typedef struct Plot {
  double first, last, top; // logarithms of sizes; the highest value
} Plot;

static double across(const Plot *p, int64_t size) {
  double span = p->last - p->first;
  double part = span > 0 ? (log2((double)size) - p->first) / span : 0.5;
  return LEFT + part * (WIDTH - LEFT - RIGHT);
}

static double up(const Plot *p, double value) {
  return HEIGHT - BOTTOM - value / p->top * (HEIGHT - TOP - BOTTOM);
}

// 1, 2 or 5 times a power of ten.
static double round_step(double step) {
  double power = pow(10, floor(log10(step))), ratio = step / power;
  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

static void put_text(Buf *buf, double x, double y, const char *anchor, Str text) {
  buf_printf(buf, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (c == '<' || c == '&')
      buf_c(buf, c == '<' ? "&lt;" : "&amp;");
    else
      buf_printf(buf, "%c", c);
  }
  buf_c(buf, "</text>\n");
}

static void put_grid(Arena *arena, Buf *buf, const Plot *p, double step) {
  for (double v = 0; v <= p->top * 1.001; v += step) {
    buf_printf(buf, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n", LEFT, up(p, v), WIDTH - RIGHT);
    put_text(buf, LEFT - 8, up(p, v) + 4, "end", str_format(arena, "%g", v));
  }
}

static void put_curve(Arena *arena, Buf *buf, const Plot *p, size_t count,
                      const BenchPoint *points) {
  buf_c(buf, "<polyline fill=\"none\" stroke=\"#1565c0\" stroke-width=\"2\" points=\"");
  for (size_t i = 0; i < count; i++)
    buf_printf(buf, "%.1f,%.1f ", across(p, points[i].size), up(p, points[i].value));
  buf_c(buf, "\"/>\n");
  size_t every = count / 10 + 1;
  for (size_t i = 0; i < count; i++) {
    double x = across(p, points[i].size);
    buf_printf(buf, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1565c0\"/>\n", x,
               up(p, points[i].value));
    if (i % every == 0)
      put_text(buf, x, HEIGHT - BOTTOM + 18, "middle",
               str_format(arena, "%lld", (long long)points[i].size));
  }
}

Str bench_plot(Arena *arena, Str title, Str size_name, const char *unit, size_t count,
               const BenchPoint *points, double limit) {
  Buf buf;
  buf_init(&buf, arena);
  double most = limit;
  for (size_t i = 0; i < count; i++)
    if (points[i].value > most) most = points[i].value;
  double step = round_step((most > 0 ? most : 1) / GRID_LINES);
  Plot p = {log2((double)points[0].size), log2((double)points[count - 1].size),
            step * ceil(most / step + 0.01)};
  buf_printf(&buf,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" "
             "height=\"100%%\" fill=\"white\"/>\n",
             WIDTH, HEIGHT);
  put_text(&buf, LEFT, TOP - 24, "start", title);
  put_text(&buf, LEFT, TOP - 8, "start", str_from_c(unit));
  put_text(&buf, WIDTH - RIGHT, HEIGHT - 12, "end", size_name);
  put_grid(arena, &buf, &p, step);
  if (limit > 0) {
    buf_printf(&buf, "<path d=\"M%d %.1fH%d\" stroke=\"#c62828\" stroke-dasharray=\"6 4\"/>\n",
               LEFT, up(&p, limit), WIDTH - RIGHT);
    put_text(&buf, WIDTH - RIGHT, up(&p, limit) - 6, "end", STR("the machine's limit"));
  }
  put_curve(arena, &buf, &p, count, points);
  buf_c(&buf, "</svg>\n");
  return buf_view(&buf);
}

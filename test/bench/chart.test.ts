import assert from "node:assert/strict";
import { test } from "node:test";
import { SaxesParser } from "saxes";
import { type Chart, chart } from "../../bench/report/chart.ts";

/** Points, each written `x/y`. */
const points = (text: string) =>
  text.split(" ").map((point) => point.split("/").map(Number) as unknown as readonly [number, number]);

const plain: Chart = {
  title: "Answers",
  x: { label: "offered per second" },
  y: { label: "answered per second" },
  series: { one: points("0/0 1000/900") },
};

/** The elements of a picture with a name; fails where it is not well-formed XML. */
function elementsOf(picture: string, wanted: string) {
  const found: { name: string; attributes: Readonly<Record<string, unknown>>; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => found.push({ name, attributes, text: "" }));
  parser.on("text", (text) => {
    if (found.length > 0) found.at(-1)!.text += text.trim();
  });
  parser.write(picture).close();
  assert.doesNotMatch(picture, /NaN|Infinity|undefined/);
  return found.filter(({ name }) => name === wanted);
}

const dots = (picture: string) =>
  elementsOf(picture, "circle").map(({ attributes }) => [Number(attributes["cx"]), Number(attributes["cy"])]);
const words = (picture: string) => elementsOf(picture, "text").map(({ text }) => text);

test("points are at their numbers, not at equal distances, on linear and logarithmic axes", () => {
  const one = points("0/0 250/10 1000/1000");
  const [first, second, third] = dots(chart({ ...plain, series: { one } }));
  assert.ok(Math.abs((second![0]! - first![0]!) / (third![0]! - first![0]!) - 0.25) < 0.01);
  assert.ok(third![1]! < second![1]!, "upwards");
  const decades = { ...plain, x: { label: "", isLog: true }, series: { one: points("1/1 10/10 100/100") } };
  const xs = dots(chart(decades)).map(([x]) => x!);
  assert.ok(Math.abs(xs[1]! - xs[0]! - (xs[2]! - xs[1]!)) < 0.2, String(xs));
});

test("axes have round ticks that hold every point, and few of them", () => {
  for (const highest of [0.004, 7, 99, 1_000, 1_234_567]) {
    const picture = chart({ ...plain, series: { one: [[1, highest]] } });
    const ticks = words(picture).filter((text) => /^[\d.,]+$/.test(text));
    assert.ok(ticks.length >= 4 && ticks.length <= 16, `${highest}: ${ticks}`);
    assert.ok(Number(ticks.at(-1)!.replaceAll(",", "")) >= highest, String(ticks));
  }
});

test("a chart has a title, the names of its axes and curves, and a description in words", () => {
  const picture = chart({ ...plain, series: { ...plain.series, '<two> & "three"': [[10, 20]] } });
  for (const text of ["Answers", "offered per second", "answered per second", "one", '<two> & "three"']) {
    assert.ok(words(picture).includes(text), text);
  }
  const description =
    /<desc>answered per second over offered per second\. one: from 0 at 0 to 900 at 1,000, at most/;
  assert.match(picture, description);
});

test("points that are not numbers are left out, and a chart without any says so", () => {
  const some = chart({ ...plain, series: { one: points("1/NaN NaN/1 2/Infinity 3/4") } });
  assert.equal(dots(some).length, 1);
  for (const isLog of [false, true]) {
    const axis = { label: "", isLog };
    const nothing = chart({ ...plain, x: axis, y: axis, series: { one: [] } });
    assert.ok(words(nothing).includes("nothing was measured"));
    assert.equal(dots(nothing).length, 0);
  }
  const single = chart({ ...plain, series: { one: points("0/0") } });
  assert.ok(!words(single).includes("nothing was measured"));
});

test("each of twelve curves differs in colour or dash", () => {
  const many = Array.from({ length: 12 }, (_, index) => [`curve ${index}`, points(`${index}/${index}`)]);
  const picture = chart({ ...plain, series: Object.fromEntries(many) });
  const look = /<g fill="(#\w+)"[^>]*><polyline class="curve" points="[^"]*"( stroke-dasharray="[^"]*")?/g;
  const looks = [...picture.matchAll(look)].map(([, colour, dash]) => `${colour}${dash}`);
  assert.equal(new Set(looks).size, 12);
});

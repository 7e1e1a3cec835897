import assert from "node:assert/strict";
import { test } from "node:test";
import { SaxesParser } from "saxes";
import { scaleOf } from "../../bench/report/axis.ts";
import { type Chart, chart } from "../../bench/report/chart.ts";

const plain: Chart = {
  title: "Answers",
  x: { label: "offered per second" },
  y: { label: "answered per second" },
  series: [
    {
      name: "one",
      points: [
        { x: 0, y: 0 },
        { x: 1_000, y: 900, low: 800, high: 1_900 },
      ],
    },
  ],
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a picture in their order; fails where it is not well-formed XML or holds what is not a number. */
function elementsOf(picture: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(picture).close();
  for (const { attributes } of elements) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name !== "aria-label") assert.doesNotMatch(value, /NaN|Infinity|undefined/, name);
    }
  }
  return elements;
}

const named = (elements: readonly Element[], name: string) =>
  elements.filter((element) => element.name === name);
const circles = (picture: string) => named(elementsOf(picture), "circle").length;
const words = (picture: string) => named(elementsOf(picture), "text").map(({ text }) => text);

test("points are at their numbers, not at equal distances", () => {
  const points = [1, 2, 10].map((x) => ({ x, y: 1 }));
  const picture = chart({ ...plain, series: [{ name: "one", points }] });
  const [line] = named(elementsOf(picture), "polyline");
  const [first, second, third] = line!.attributes["points"]!.split(" ").map((pair) =>
    Number.parseFloat(pair),
  );
  assert.ok(Math.abs((third! - second!) / (second! - first!) - 8) < 0.05);
});

test("a linear axis runs from 0 to a round number above the maximum", () => {
  assert.deepEqual(scaleOf({ label: "" }, [3, 4_680_960]).ticks.at(-1), 5_000_000);
  assert.deepEqual(scaleOf({ label: "" }, [0.3]).ticks, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
  const { at } = scaleOf({ label: "" }, [50, 100]);
  assert.deepEqual([at(0), at(50), at(100), at(1_000), at(-5)], [0, 0.5, 1, 1, 0]);
});

test("a logarithmic axis spans whole decades, and values without a logarithm are at its foot", () => {
  const { ticks, at } = scaleOf({ label: "", scale: "log" }, [0.4, 90, 0, -1]);
  assert.deepEqual(ticks, [0.1, 1, 10, 100]);
  assert.ok(Math.abs(at(1) - 1 / 3) < 1e-9);
  assert.deepEqual([at(0), at(-3), at(1_000)], [0, 0, 1]);
});

test("given marks are the axis, with space around them", () => {
  const { ticks, at } = scaleOf({ label: "", ticks: [1, 2, 3] }, [1, 3]);
  assert.deepEqual(ticks, [1, 2, 3]);
  assert.ok(at(1) > 0 && at(3) < 1 && Math.abs(at(2) - 0.5) < 1e-9);
  assert.equal(scaleOf({ label: "", ticks: [4] }, [4]).at(4), 0.5);
});

test("axes of nothing, of zeros and of one value are whole", () => {
  for (const scale of ["linear", "log"] as const) {
    for (const values of [[], [0, 0], [7], [Number.NaN, Number.POSITIVE_INFINITY]]) {
      const { ticks, at } = scaleOf({ label: "", scale }, values);
      assert.ok(ticks.length >= 2 && ticks.length <= 8, `${scale} ${values}: ${ticks}`);
      for (const value of [0, 7]) assert.ok(at(value) >= 0 && at(value) <= 1, `${scale} ${values}`);
    }
  }
});

test("a chart of nothing says so, and one of zeros is drawn", () => {
  for (const series of [
    [],
    [{ name: "one", points: [] }],
    [{ name: "one", points: [{ x: 1, y: Number.NaN }] }],
  ]) {
    assert.ok(words(chart({ ...plain, series })).includes("nothing was measured"));
  }
  const zeros = chart({
    ...plain,
    series: [
      {
        name: "one",
        points: [
          { x: 0, y: 0 },
          { x: 0, y: 0 },
        ],
      },
    ],
  });
  assert.ok(!words(zeros).includes("nothing was measured"));
  assert.equal(circles(zeros), 2 + 1);
});

test("a value that is not a number is left out of a curve", () => {
  const points = [
    { x: 1, y: 1 },
    { x: 2, y: Number.NaN },
    { x: 3, y: 3 },
  ];
  assert.equal(circles(chart({ ...plain, series: [{ name: "one", points }] })), 2 + 1);
});

test("forty curves can be distinguished by colour and dash, and the legend stays within the picture", () => {
  const series = Array.from({ length: 40 }, (_, index) => ({
    name: `POOL_SIZE ${index + 1}`,
    points: [{ x: index, y: index }],
  }));
  const elements = elementsOf(chart({ ...plain, series }));
  const classes = named(elements, "g").map(({ attributes }) => attributes["class"]);
  assert.equal(new Set(classes).size, 40);
  const legend = elements.filter(({ attributes }) => attributes["class"] === "legend");
  assert.equal(legend.length, 40);
  const places = legend.map(({ attributes }) => `${attributes["x"]} ${attributes["y"]}`);
  assert.equal(new Set(places).size, 40);
  for (const { attributes } of legend) assert.ok(Number(attributes["x"]) < 700);
});

test("the first eight curves differ in colour, and curves that follow each other in dash", () => {
  const series = Array.from({ length: 8 }, (_, index) => ({
    name: String(index),
    points: [{ x: 1, y: index }],
  }));
  const classes = named(elementsOf(chart({ ...plain, series })), "g").map(({ attributes }) =>
    attributes["class"]!.split(" "),
  );
  assert.equal(new Set(classes.map(([colour]) => colour)).size, 8);
  for (const [index, [, dash]] of classes.entries()) assert.notEqual(dash, classes[index + 1]?.[1]);
});

test("titles, labels and names are escaped", () => {
  const nasty = `<b> & "x" ' \u0001`;
  const picture = chart({
    title: nasty,
    x: { label: nasty },
    y: { label: nasty },
    series: [{ name: nasty, points: [] }],
  });
  const elements = elementsOf(picture);
  assert.equal(named(elements, "b").length, 0);
  assert.equal(elements[0]!.attributes["aria-label"], `<b> & "x" ' \ufffd`);
  assert.equal(named(elements, "title")[0]!.text, `<b> & "x" ' \ufffd`);
});

test("a picture has a title, its curves in words, and colours for light and dark", () => {
  const picture = chart(plain);
  const [svg, title, desc, style] = elementsOf(picture);
  assert.equal(svg!.attributes["role"], "img");
  assert.equal(title!.text, "Answers");
  assert.match(desc!.text, /one: from 0 at 0 to 900 at 1,000, at most 900 at 1,000/);
  assert.match(style!.text, /prefers-color-scheme:dark/);
  assert.ok(words(picture).includes("offered per second"));
  assert.ok(words(picture).includes("answered per second"));
});

test("the spread between rounds is drawn, and the axis has room for it", () => {
  const elements = elementsOf(chart(plain));
  assert.equal(elements.filter(({ attributes }) => attributes["class"] === "spread").length, 1);
  assert.ok(words(chart(plain)).includes("2,000"));
});

test("values are written at their points where asked for, but never one over another", () => {
  const points = [
    { x: 1, y: 100 },
    { x: 900, y: 500 },
  ];
  const values = (series: Chart["series"]) =>
    elementsOf(chart({ ...plain, series, withValues: true })).filter(
      ({ attributes }) => attributes["class"] === "value",
    ).length;
  assert.equal(values([{ name: "one", points }]), 2);
  assert.equal(
    values([
      { name: "one", points },
      { name: "same", points },
    ]),
    2,
  );
});

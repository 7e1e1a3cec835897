import type uPlot from "uplot";
import { loaded, onFirstUse } from "../loaded.ts";

/** The drawing library's class. */
export type Plot = typeof uPlot;

const folder = "/service/console/uplot";

/** Loads the drawing library. */
export const loadPlot = onFirstUse(load);

async function load(): Promise<Plot> {
  const style = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: `${folder}/uplot.css`,
  });
  const script = Object.assign(document.createElement("script"), { src: `${folder}/uplot.js` });
  await Promise.all([loaded(style), loaded(script)]);
  return (globalThis as unknown as { readonly uPlot: Plot }).uPlot;
}

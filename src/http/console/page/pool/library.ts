import type uPlot from "uplot";
import { loaded } from "../loaded.ts";

/** The drawing library's class. */
export type Plot = typeof uPlot;

const folder = "/service/console/uplot";

let loading: Promise<Plot> | undefined;

/** Loads the drawing library when it is first needed; where that fails the next call tries again. */
export function loadPlot(): Promise<Plot> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Plot> {
  const style = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: `${folder}/uplot.css`,
  });
  const script = Object.assign(document.createElement("script"), { src: `${folder}/uplot.js` });
  await Promise.all([loaded(style), loaded(script)]);
  return (globalThis as unknown as { readonly uPlot: Plot }).uPlot;
}

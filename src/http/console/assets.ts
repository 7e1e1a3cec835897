import type { DocsAsset } from "../docs/assets.ts";

/** Everything under `/service/console`; the scripts are compiled by the build, the other files are copied. */
export const consoleAssets: readonly DocsAsset[] = [
  { name: "", contentType: "text/html; charset=utf-8", file: "page/index.html" },
  { name: "console.css", contentType: "text/css; charset=utf-8", file: "page/console.css" },
  ...["main.js", "service-call.js", "verdict.js", "words.js"].map((name) => ({
    name,
    contentType: "text/javascript; charset=utf-8",
    file: `page/${name}`,
  })),
];

/** A file that a page consists of. */
export interface PageAsset {
  /** Name under the page's path; empty for the page itself. */
  readonly name: string;
  readonly contentType: string;
  /** File beside the module that lists it. */
  readonly file: string;
  /** Where the file comes from, if not from the page's own folder: the build copies it. */
  readonly library?: LibraryFile;
}

/** A file of an npm package. */
interface LibraryFile {
  readonly package: string;
  /** Path inside the package. */
  readonly file: string;
  /** The build refuses any other content. */
  readonly sha256: string;
}

/** The standalone bundle shows the OpenAPI document. Its licence is served beside it. */
const swaggerUi = "swagger-ui-dist";

/** Everything under `/service/docs`; nothing is loaded from anywhere else. */
export const docsAssets: readonly PageAsset[] = [
  { name: "", contentType: "text/html; charset=utf-8", file: "index.html" },
  { name: "docs.css", contentType: "text/css; charset=utf-8", file: "docs.css" },
  { name: "docs.js", contentType: "text/javascript; charset=utf-8", file: "docs.js" },
  {
    name: "swagger-ui.css",
    contentType: "text/css; charset=utf-8",
    file: "swagger-ui.css",
    library: {
      package: swaggerUi,
      file: "swagger-ui.css",
      sha256: "5ed08757e53da3e026d6cbecc61fe5d43585c9560b302d534ad56692519a273d",
    },
  },
  {
    name: "swagger-ui-bundle.js",
    contentType: "text/javascript; charset=utf-8",
    file: "swagger-ui-bundle.js",
    library: {
      package: swaggerUi,
      file: "swagger-ui-bundle.js",
      sha256: "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
    },
  },
  {
    name: "LICENSE.txt",
    contentType: "text/plain; charset=utf-8",
    file: "LICENSE",
    library: {
      package: swaggerUi,
      file: "LICENSE",
      sha256: "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
    },
  },
];

/** Headers of the page and its files: nothing but the service itself may be loaded, framed or sent to. */
export const docsHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
} as const;

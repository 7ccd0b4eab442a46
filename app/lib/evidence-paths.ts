import { withQuery } from "./paths";

type Query = Record<string, string>;

/** The URLs of evidence packs. Pages get them from their loaders. */
export const evidencePaths = {
  /** The page that says what a pack for this query contains, and links to it. */
  page: (query: Query = {}) => withQuery("/home/evidence-packs", query),
  /** Makes the pack. */
  file: (query: Query) => withQuery("/home/evidence-packs/file", query),
} as const;

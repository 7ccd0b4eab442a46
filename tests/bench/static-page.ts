import { type ServerBuild } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { createElement, Fragment, type ReactNode } from "react";
import { paths } from "~/lib/paths";

const VOID = ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
const RAW = ["script", "style"];
/** Matches a tag with its attributes, or a text. */
const PART = /<(\/?)([a-z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|<!.*?>|[^<]+/gis;

const decode = (text: string) =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&");

/** Returns attributes by the names that React expects. React writes most names of HTML unchanged. */
function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([^\s=>/]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decode(value)]));
}

interface Open {
  tag: string;
  attributes: Record<string, string>;
  children: ReactNode[];
}

function elementOf({ tag, attributes, children }: Open): ReactNode {
  if (!RAW.includes(tag)) return createElement(tag, attributes, ...children);
  return createElement(tag, {
    ...attributes,
    dangerouslySetInnerHTML: { __html: children.filter((child) => typeof child === "string").join("") },
  });
}

/**
 * Converts the HTML of a page that React wrote back to React elements, without components. Throws an Error when the HTML is not well
 * formed.
 */
export function treeOf(html: string): ReactNode {
  const open: Open[] = [{ tag: "", attributes: {}, children: [] }];
  const add = (node: ReactNode) => open.at(-1)?.children.push(node);
  // The contents of scripts and styles are not markup.
  const parts = html.split(/(<(?:script|style)\b[^>]*>)(.*?)(<\/(?:script|style)>)/is);
  for (const [index, piece] of parts.entries()) {
    if (index % 4 === 2) {
      if (piece) add(piece);
      continue;
    }
    for (const [part, end, name, attributes = ""] of piece.matchAll(PART)) {
      const tag = name?.toLowerCase();
      if (tag === undefined) {
        if (!part.startsWith("<!")) add(decode(part));
      } else if (end) {
        const closed = open.pop();
        if (closed?.tag !== tag) throw new Error(`</${tag}> ends no <${tag}>.`);
        add(elementOf(closed));
      } else if (VOID.includes(tag)) add(createElement(tag, attributesOf(attributes)));
      else open.push({ tag, attributes: attributesOf(attributes), children: [] });
    }
  }
  const [page] = open;
  if (open.length !== 1 || !page) throw new Error("The page is not well formed.");
  return createElement(Fragment, null, ...page.children);
}

type Routes = ServerBuild["routes"];

const LEAF = "routes/_public.login";

/**
 * Returns a Remix build of one page that is already rendered: without loader, form, session and database. `others` are further routes that
 * are never shown; Remix matches the address of each page against all routes.
 */
export function bareBuild(portal: ServerBuild, page: ReactNode, others: Routes = {}): ServerBuild {
  const root = { id: "root", path: "", module: { default: Outlet } };
  const module = { default: () => createElement(Fragment, null, page) };
  const leaf = { id: LEAF, parentId: "root", path: paths.login().slice(1), module };
  const routes: Routes = { ...others, root, [LEAF]: leaf };
  const none = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false };
  const entryOf = ({ module: _, ...route }: Routes[string]) => ({
    ...route,
    ...none,
    hasErrorBoundary: false,
    module: "/page.js",
  });
  const entries = Object.values(routes).map((route) => [route.id, entryOf(route)] as const);
  return { ...portal, assets: { ...portal.assets, routes: Object.fromEntries(entries) }, routes };
}

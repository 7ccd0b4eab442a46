import { getConfig } from "~/lib/config.server";
import { formatDateTime } from "~/lib/dates";
import { escapeMarkup } from "~/lib/escape-markup.server";
import { type DescribedStatus, type StatusCell, type StatusSection } from "./sections.server";

/** The look of the page, which must need no other file: the portal does not answer while it is shown. */
const STYLE = `
:root{color-scheme:light dark;--text:light-dark(#1d2a30,#e6edf0);--page:light-dark(#f3f6f7,#12191d);--card:light-dark(#fff,#1b252a);
--line:light-dark(#cfd8dc,#3a474e);--quiet:light-dark(#50616a,#a5b4bb);--brand:light-dark(#00616b,#5cc3cf);--ok:light-dark(#1b6b3a,#7ad19b);
--warn:light-dark(#8a5300,#f0b755);--bad:light-dark(#a31621,#ff9a9a)}
body{margin:0;background:var(--page);color:var(--text);font:17px/1.5 "Source Sans 3",system-ui,sans-serif}
main{max-width:75rem;margin:0 auto;padding:1rem}h1{margin:.5rem 0;color:var(--brand)}h2{margin:0 0 .5rem;font-size:1.25rem}
section{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem;margin:1rem 0}p{max-width:70ch;margin:.5rem 0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-top:1px solid var(--line)}
small{display:block;color:var(--quiet)}a{color:var(--brand)}.ok{color:var(--ok)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.ok,.warn,.bad{font-weight:600}@media(max-width:48em){thead{position:absolute;clip-path:inset(50%)}tr{display:block;padding:.5rem 0}
th,td{display:block;border:0;padding:.1rem 0}tr+tr{border-top:1px solid var(--line)}td[data-l]::before{content:attr(data-l) ": ";color:var(--quiet)}}
`;

const timeOf = (iso: string): string => `<time datetime="${iso}">${formatDateTime(iso)} UTC</time>`;

function cellOf({ text, sub, at, tone, href }: StatusCell): string {
  const shown = at === undefined ? escapeMarkup(text) : timeOf(at);
  const linked = href === undefined ? shown : `<a href="${escapeMarkup(href)}">${shown}</a>`;
  const marked = tone === undefined ? linked : `<span class="${tone}">${linked}</span>`;
  return sub === undefined ? marked : `${marked}<small>${escapeMarkup(sub)}</small>`;
}

const rowOf = (row: readonly StatusCell[], columns: readonly string[]): string =>
  `<tr>${row
    .map((cell, index) =>
      index === 0
        ? `<th scope="row">${cellOf(cell)}</th>`
        : `<td data-l="${escapeMarkup(columns[index] ?? "")}">${cellOf(cell)}</td>`,
    )
    .join("")}</tr>`;

const tableOf = ({ columns, rows }: StatusSection): string =>
  `<table><thead><tr>${columns.map((column) => `<th scope="col">${escapeMarkup(column)}</th>`).join("")}</tr></thead>` +
  `<tbody>${rows.map((row) => rowOf(row, columns)).join("\n")}</tbody></table>`;

const sectionOf = (section: StatusSection): string =>
  `<section id="${section.id}" aria-labelledby="${section.id}-title"><h2 id="${section.id}-title">${escapeMarkup(section.title)}</h2>` +
  `<p>${escapeMarkup(section.text)}</p>${section.rows.length > 0 ? tableOf(section) : `<p>${escapeMarkup(section.empty)}</p>`}</section>`;

/**
 * Returns the status as one HTML file that needs no other file, script or cookie. It is shown while the portal does not answer, so it says first
 * when it was written.
 */
export function staticStatusPage({ summary, readAt, sections }: DescribedStatus): string {
  const { name } = getConfig().branding;
  return [
    "<!doctype html>",
    '<html lang="en-GB">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeMarkup(`Status - ${name}`)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body><main>",
    `<h1>Status of ${escapeMarkup(name)}</h1>`,
    '<section aria-labelledby="copy"><h2 id="copy" class="bad">The portal does not answer now</h2>',
    `<p>This is the copy that the portal wrote at ${timeOf(readAt)}, while it still worked. Certificates stay valid, and revocation lists and answers that your systems have fetched are good until the times below.</p></section>`,
    `<section aria-labelledby="summary"><h2 id="summary">At that time: <span class="${summary.tone}">${escapeMarkup(summary.title)}</span></h2>`,
    ...(summary.problems.length > 0
      ? [`<ul>${summary.problems.map((problem) => `<li>${escapeMarkup(problem)}</li>`).join("")}</ul>`]
      : []),
    "</section>",
    ...sections.map(sectionOf),
    "</main></body>",
    "</html>",
    "",
  ].join("\n");
}

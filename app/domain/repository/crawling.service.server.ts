import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { nameCrossCertificates } from "~/domain/authorities/cross-certificates.server";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { escapeMarkup } from "~/lib/escape-markup.server";
import { paths } from "~/lib/paths";
import { PUBLIC_PAGES } from "~/lib/public-pages";
import { contactUrl, serverPaths } from "~/lib/server-paths.server";
import { getDb } from "~db/connection.server";
import { findLatestCrlSummary } from "~db/repositories/crls.server";
import { listCrossCertificates } from "~db/repositories/cross-certificates.server";
import { POLICIES } from "./policies/catalogue";
import { policyDate } from "./policies/policies.service.server";

interface Entry {
  path: string;
  /** An ISO timestamp. */
  lastModified?: string | undefined;
}

/** Returns both files of a CA certificate. */
const certificateFiles = ({ name, createdAt }: { name: string; createdAt: string }) =>
  [repositoryFiles.certificate(name), repositoryFiles.certificatePem(name)].map((file) => ({
    file,
    lastModified: createdAt,
  }));

const toEntry = ({ file, lastModified }: { file: string; lastModified: string }): Entry => ({
  path: paths.repositoryFile(file),
  lastModified,
});

async function listEntries({ id, name, isRoot, createdAt }: Authority): Promise<Entry[]> {
  const [base, delta] = await Promise.all([
    findLatestCrlSummary(getDb(), id, false),
    isRoot ? null : findLatestCrlSummary(getDb(), id, true),
  ]);
  const files = [
    ...certificateFiles({ name, createdAt }),
    ...(base ? [{ file: repositoryFiles.list(name), lastModified: base.thisUpdate }] : []),
    ...(delta ? [{ file: repositoryFiles.deltaList(name), lastModified: delta.thisUpdate }] : []),
  ];
  return files.map(toEntry);
}

const toXml = ({ path, lastModified }: Entry): string => {
  const changed = lastModified === undefined ? "" : `<lastmod>${lastModified}</lastmod>`;
  return `  <url><loc>${escapeMarkup(getEnv().publicUrl + path)}</loc>${changed}</url>`;
};

/** Returns the sitemap as XML (sitemaps.org): the public pages, and the files of the repository with their last change. */
export async function sitemap(): Promise<string> {
  const files: Entry[] = [];
  const authorities = await listAuthorities(getDb());
  for (const authority of authorities) files.push(...(await listEntries(authority)));
  const cross = nameCrossCertificates(await listCrossCertificates(getDb()), authorities);
  files.push(...cross.flatMap(certificateFiles).map(toEntry));
  const written = policyDate().toISOString();
  files.push(...POLICIES.map(({ file }) => ({ path: paths.repositoryFile(file), lastModified: written })));
  const changes = files.map(({ lastModified }) => lastModified ?? "");
  const latest = changes.sort().at(-1);
  const changed = new Map<string, string | undefined>([
    [paths.publicRepository, latest],
    ...POLICIES.map(({ name }): [string, string] => [paths.policy(name), written]),
  ]);
  const pages = PUBLIC_PAGES.map(({ path }): Entry => ({ path, lastModified: changed.get(path) }));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...pages, ...files].map(toXml),
    "</urlset>",
    "",
  ].join("\n");
}

/** The paths that crawlers are asked to skip: pages behind the login, and addresses that contain a token. */
const PRIVATE = [
  "/home",
  "/api/",
  "/partner/",
  "/authorise-order/",
  "/confirm-domain/",
  "/new-certificate/",
  "/no-more-messages/",
  "/stop-following/",
  "/change-password",
  "/complete-registration",
  "/consolidate-users",
  "/login-as-user/",
  "/password-expiry",
  "/reset-code",
  "/verify-email/",
];

/** Returns the public pages below the paths that crawlers skip, such as the API reference. */
const allowed = () =>
  PUBLIC_PAGES.map(({ path }) => path).filter((path) => PRIVATE.some((start) => path.startsWith(start)));

/** Returns robots.txt (RFC 9309). Crawlers may read the public pages and the repository, but nothing behind the login. */
export const robots = (): string =>
  [
    "User-agent: *",
    `Allow: ${paths.publicRepository}`,
    `Allow: ${paths.repositoryFile("")}`,
    ...allowed().map((path) => `Allow: ${path}`),
    ...PRIVATE.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${getEnv().publicUrl}${serverPaths.sitemap}`,
    "",
  ].join("\n");

/** Returns the first day of the month that begins three to four months after `now`, so that the text changes once a month. */
const expiryOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 4));

/**
 * Returns security.txt (RFC 9116), which says where to report a vulnerability: the contact page and the email address of the
 * configuration.
 */
export function securityText(now = new Date()): string {
  const { policies } = getConfig();
  const { publicUrl } = getEnv();
  return [
    `Contact: ${contactUrl()}`,
    `Contact: mailto:${policies.email}`,
    `Expires: ${expiryOf(now).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}${serverPaths.securityText}`,
    "",
  ].join("\n");
}

import { expect, test } from "vitest";
import { notFound } from "~/lib/errors";
import { errorResponse } from "~/http/responses.server";
import { anna, visit } from "./portal";

const view = () => <h1>Content</h1>;
const links = (html: string, part: string) => {
  const inside = html.slice(html.indexOf(`<${part}`), html.indexOf(`</${part}>`));
  return [...inside.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>(.*?)<\/a>/g)].map(
    ([, href, text = ""]) => `${text.replace(/<svg.*<\/svg>/, "")} ${href}`,
  );
};

test("[PUB-04] the public header leads to the start, the repository and the configured pages", async () => {
  const { html } = await visit({ view });
  expect(links(html, "header")).toEqual([
    "Supply Chain CA /",
    "Repository /certificate-repository",
    "Pricing https://example.org/pricing",
    "Contact Us https://example.org/contact",
    "Help https://example.org/help",
  ]);
  expect(html).not.toContain("Log out");
});

test("[PUB-05] the footer shows legal data, the year, the configured links and social media", async () => {
  const { html } = await visit({ view });
  const footer = html.slice(html.indexOf("<footer")).replace(/<[^>]+>/g, "");
  for (const text of ["© 2026 Example Association Ltd", "1 Example Street, London", "Registered no. 1234567"])
    expect(footer).toContain(text);
  expect(footer).toContain("Fax +44 20 7123 4568");
  expect(links(html, "footer")).toEqual([
    "+44 20 7123 4567 tel:+442071234567",
    "Terms https://example.org/terms",
    "Privacy https://example.org/privacy",
    "Cookies https://example.org/cookies",
    "LinkedIn https://social.example/association",
  ]);
});

test("the header shows where one is, who one is, and the queue only to admins", async () => {
  const applicant = await visit({ view, shell: { user: anna } }, { path: "/home/certificates" });
  expect(applicant.html).toContain('aria-current="page" class="active" href="/home/certificates"');
  expect(applicant.html).toContain("Anna Müller");
  expect(applicant.html).toMatch(/<form method="post" action="\/logout".*?<button type="submit">Log out<\/button>/);
  expect(applicant.html).not.toContain("Certificate Queue");

  const admin = await visit({ view, shell: { user: { ...anna, isAdmin: true } } });
  expect(links(admin.html, "header")).toContain("Certificate Queue /home/certificate-queue");

  const incomplete = await visit({ view, shell: { user: { ...anna, headerDisabled: true } } });
  expect(links(incomplete.html, "header")).toEqual(["Supply Chain CA /"]);
  expect(incomplete.html).toContain('action="/logout"');
});

test.each([
  ["/home/code/purchase/order", "ID Codes"],
  ["/home/codes/code-details", "ID Codes"],
  ["/home/search-codes", "ID Codes"],
  ["/home/certificate/purchase/contact-details", "Certificates"],
  ["/home/certificate-details/7", "Certificates"],
  ["/home/certificate-download/7", "Certificates"],
  ["/home/certificate-repository", "Repository"],
  ["/home/certificate-queue", "Certificate Queue"],
])("[CPO-01] on %s the header marks %s, and nothing else", async (path, label) => {
  const { html } = await visit({ view, shell: { user: { ...anna, isAdmin: true } } }, { path });
  const marked = [...html.matchAll(/<a [^>]*aria-current="page"[^>]*>(.*?)<\/a>/g)].map(([, text]) => text);
  expect(marked).toEqual([label]);
});

test("[DSH-02] the header after login: the portal's pages, the configured ones, Log out", async () => {
  const { html } = await visit({ view, shell: { user: anna } });
  const account = ["Anna Müller /home/user-management"];
  expect(links(html, "header").filter((link) => !account.includes(link))).toEqual([
    "Supply Chain CA /",
    "Home /home/dashboard",
    "Certificates /home/certificates",
    "ID Codes /home/codes",
    "Repository /home/certificate-repository",
    "Pricing https://example.org/pricing",
    "Contact Us https://example.org/contact",
    "Help https://example.org/help",
  ]);
  expect(html).toMatch(/<button type="submit">Log out<\/button>/);
});

test("[DSH-02] the user's name opens user management, unless the header is disabled", async () => {
  const { html } = await visit({ view, shell: { user: anna } }, { path: "/home/user-management" });
  expect(links(html, "header")).toContain("Anna Müller /home/user-management");
  expect(html).toMatch(/<a [^>]*aria-current="page"[^>]*href="\/home\/user-management">/);
  const disabled = await visit({ view, shell: { user: { ...anna, headerDisabled: true } } });
  expect(disabled.html).toContain("<span>Anna Müller</span>");
});

test("[DSH-04] a message is in the page itself, in a status region, closable only where scripts run", async () => {
  const { html } = await visit({ view, shell: { toast: { kind: "ok", text: "It is done." } } });
  expect(html).toMatch(/<div role="status"[^>]*><div class="toast ok"><p>It is done.<\/p><button[^>]*js-only/);
});

test("the chosen colours are on the document, and every inline script carries the nonce", async () => {
  const { html } = await visit({ view, shell: { theme: "dark" } });
  expect(html).toContain('<html lang="en-GB" data-theme="dark">');
  const scripts = html.match(/<script(?![^>]*\ssrc=)[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of scripts) expect(script).toContain('nonce="test-nonce"');
});

test("[PUB-06] an unknown page says so with status 404", async () => {
  const { status, html } = await visit({
    view,
    loader: () => {
      throw errorResponse(notFound());
    },
  });
  expect(status).toBe(404);
  expect(html).toContain("<h1>Page not found</h1>");
  expect(html).toContain(
    "The requested page cannot be found. Please make sure that the entered URL is correct and try again.",
  );
});

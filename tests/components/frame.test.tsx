import { load } from "cheerio";
import { expect, test } from "vitest";
import { errorResponse } from "~/http/responses.server";
import { notFound } from "~/lib/errors";
import { pageText, select, textsOf } from "../support/page";
import { anna, visit } from "./portal";

const view = () => <h1>Content</h1>;
const links = (html: string, part: string) => {
  const $ = load(html);
  return $(`${part} a`)
    .toArray()
    .map((link) => `${$(link).text()} ${$(link).attr("href")}`);
};

test("[PUB-04] the public header links the start page, the repository and the configured pages", async () => {
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

test("[PUB-05] the footer shows the legal data, the year, the configured links and social media", async () => {
  const { html } = await visit({ view });
  const footer = select(html, "footer").text();
  for (const text of ["© 2026 Example Association Ltd", "1 Example Street, London", "Registered no. 1234567"])
    expect(footer).toContain(text);
  expect(footer).toContain("Fax +44 20 7123 4568");
  expect(links(html, "footer")).toEqual([
    "+44 20 7123 4567 tel:+442071234567",
    "Terms https://example.org/terms",
    "Privacy https://example.org/privacy",
    "Cookies https://example.org/cookies",
    "Status /status",
    "Check a CSR /check-csr",
    "Report a compromised key /report-key",
    "LinkedIn https://social.example/association",
  ]);
});

test("the header shows the current page and the user, and the queue only to administrators", async () => {
  const applicant = await visit({ view, shell: { user: anna } }, { path: "/home/certificates" });
  expect(select(applicant.html, 'a.active[aria-current="page"]').attr("href")).toBe("/home/certificates");
  expect(pageText(applicant.html)).toContain("Anna Müller");
  expect(textsOf(applicant.html, 'form[method="post"][action="/logout"] button')).toEqual(["Log out"]);
  expect(applicant.html).not.toContain("Certificate queue");

  const admin = await visit({ view, shell: { user: { ...anna, seesQueue: true } } });
  expect(links(admin.html, "header")).toContain("Certificate queue /home/certificate-queue");

  const incomplete = await visit({ view, shell: { user: { ...anna, headerDisabled: true } } });
  expect(links(incomplete.html, "header")).toEqual(["Supply Chain CA /"]);
  expect(select(incomplete.html, 'form[action="/logout"]')).toHaveLength(1);
});

test("[DSH-02] the row of staff shows the pages of the rights with what waits, the others in a menu, and marks the current one", async () => {
  const staffRow = {
    places: [
      { to: "/home/overview", label: "Overview" },
      { to: "/home/certificate-queue", label: "Queue", waits: { count: "12", what: "pending" } },
      { to: "/home/certificates", label: "Certificates", area: ["/home/certificate-details/"] },
    ],
    more: [{ to: "/home/jobs", label: "Jobs" }],
  };
  const { html } = await visit({ view, shell: { user: { ...anna, staffRow } } }, { path: "/home/certificate-queue" });
  expect(links(html, ".staff")).toEqual([
    "Overview /home/overview",
    "Queue 12 pending /home/certificate-queue",
    "Certificates /home/certificates",
    "Jobs /home/jobs",
  ]);
  expect(links(html, ".staff details")).toEqual(["Jobs /home/jobs"]);
  expect(textsOf(html, '.staff a[aria-current="page"]')).toEqual(["Queue 12 pending"]);
  const details = await visit(
    { view, shell: { user: { ...anna, staffRow } } },
    { path: "/home/certificate-details/7" },
  );
  expect(textsOf(details.html, '.staff a[aria-current="page"]')).toEqual(["Certificates"]);
  expect((await visit({ view, shell: { user: anna } })).html).not.toContain('class="staff"');
});

test.each([
  ["/home/code/purchase/order", "ID Codes"],
  ["/home/codes/code-details", "ID Codes"],
  ["/home/search-codes", "ID Codes"],
  ["/home/certificate/purchase/contact-details", "Certificates"],
  ["/home/certificate-details/7", "Certificates"],
  ["/home/certificate-download/7", "Certificates"],
  ["/home/certificate-repository", "Repository"],
  ["/home/certificate-queue", "Certificate queue"],
])("[CPO-01] on %s the header marks only %s", async (path, label) => {
  const { html } = await visit({ view, shell: { user: { ...anna, seesQueue: true } } }, { path });
  expect(textsOf(html, 'a[aria-current="page"]')).toEqual([label]);
});

test("[DSH-02] after login the header links the portal's pages, the configured ones and Log out", async () => {
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
  expect(textsOf(html, 'header button[type="submit"]')).toEqual(["Log out"]);
});

test("[DSH-02] the user's name opens user management unless the header is disabled", async () => {
  const { html } = await visit({ view, shell: { user: anna } }, { path: "/home/user-management" });
  expect(links(html, "header")).toContain("Anna Müller /home/user-management");
  expect(select(html, 'a[aria-current="page"]').attr("href")).toBe("/home/user-management");
  const disabled = await visit({ view, shell: { user: { ...anna, headerDisabled: true } } });
  expect(textsOf(disabled.html, "header form > span")).toEqual(["Anna Müller"]);
});

test("[DSH-02] the header names the company of a customer, unless it offers a choice, is disabled or somebody acts as the user", async () => {
  const named = async (given: Partial<typeof anna>) =>
    textsOf((await visit({ view, shell: { user: { ...anna, ...given } } })).html, "header form bdi");
  expect(await named({})).toEqual(["Example Parts Ltd"]);
  const companies = [1, 2].map((id) => ({ id, name: `Company ${id}`, isCurrent: id === 1 }));
  for (const given of [
    { companies },
    { headerDisabled: true },
    { isApplicant: false },
    { company: "" },
    { impersonator: { name: "Olga Admin" } },
  ])
    expect(await named(given)).toEqual([]);
});

test("[DSH-04] a message is in a status region of the page and can be closed only with scripts", async () => {
  const { html } = await visit({ view, shell: { toast: { kind: "ok", text: "It is done." } } });
  expect(textsOf(html, '[role="status"] > .toast.ok > p')).toEqual(["It is done."]);
  expect(textsOf(html, '[role="status"] > .toast.ok > button.js-only')).toEqual(["Close message"]);
});

test("the document has the chosen colours, and every inline script has the nonce", async () => {
  const { html } = await visit({ view, shell: { theme: "dark" } });
  expect(select(html, "html").attr()).toEqual({ lang: "en-GB", "data-theme": "dark" });
  const scripts = select(html, "script:not([src])");
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter('[nonce="test-nonce"]')).toHaveLength(scripts.length);
});

test("[PUB-06] an unknown page answers 404", async () => {
  const { status, html } = await visit({
    view,
    loader: () => {
      throw errorResponse(notFound());
    },
  });
  expect(status).toBe(404);
  expect(textsOf(html, "h1")).toEqual(["Page not found"]);
  expect(pageText(html)).toContain(
    "The requested page cannot be found. Please make sure that the entered URL is correct and try again.",
  );
});

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { findBanner, findBannerOrigin } from "~/domain/homepage/homepage.service.server";
import { getSession } from "~/http/session.server";
import * as login from "~/routes/_public.login";
import * as manage from "~/routes/home.manage/route";
import { getDb } from "~db/connection.server";
import { createAdmin, createUser } from "../support/factories";
import { labelsOf, pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const PATH = "/home/manage";
const URL_TEXT = "Valid URL starting with 'http://' or 'https://' is required.";
const REQUIRED = "This field is required.";
const TOO_LONG = "Entered value is not valid.";
const SETTINGS = {
  banner: "https://images.example/banner.png?v=1&w=450",
  link: "https://www.example.org/conference",
  tooltip: "Conference 2026: meet us in Köln",
};

const address = (length: number) => "https://example.org/".padEnd(length, "a");
const post = async (visitor: Visitor, fields: Record<string, string>) =>
  run(manage.action, await visitor.post(PATH, fields));
const admin = async () => signedInAs(await createAdmin());
const trail = () =>
  getDb().selectFrom("auditEntries").selectAll().where("event", "like", "homepage.%").orderBy("id").execute();

/** Returns the message that a browser without scripts sees next. It is in the session of the answer and can be read once. */
async function messageAfter(visitor: Visitor, answer: Response) {
  visitor.follow(answer);
  return (await getSession(visitor.get("/"))).get("toast");
}

beforeEach(async () => {
  await getDb().deleteFrom("settings").execute();
  await getDb().deleteFrom("auditEntries").execute();
});

describe("the page Manage Homepage", () => {
  test("[MAN-01] shows an administrator the three fields, Cancel to the dashboard, and Update", async () => {
    const { html } = await openPage(manage, await admin(), PATH);
    expect(textsOf(html, "h1")).toEqual(["Manage Homepage"]);
    for (const [name, label] of Object.entries({
      banner: "Banner Image URL",
      link: "Image Link URL",
      tooltip: "Image Tooltip",
    })) {
      expect(textsOf(html, `label[for="homepage-${name}"]`)).toEqual([label]);
      expect(select(html, `input#homepage-${name}[name="${name}"]`).length).toBe(1);
    }
    expect(textsOf(html, 'a[href="/home/dashboard"]')).toContain("Cancel");
    expect(textsOf(html, 'button[type="submit"]')).toContain("Update");
    expect(html).toContain("browsers block images from http:// addresses there.");
    expect(html).not.toContain("Remove banner");
  });

  test("[MAN-01] redirects other users to the dashboard, for the page and the form; anonymous visitors to the login", async () => {
    const applicant = await signedInAs(await createUser());
    for (const answer of [await run(manage.loader, applicant.get(PATH)), await post(applicant, SETTINGS)])
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    const visitor = await anonymous();
    expect((await run(manage.loader, visitor.get(PATH))).headers.get("Location")).toBe(
      "/login?redirectTo=%2Fhome%2Fmanage",
    );
    expect((await post(visitor, SETTINGS)).headers.get("Location")).toMatch(/^\/login/);
    expect(await findBanner()).toBeNull();
  });

  test("[MAN-01] stores, confirms and audits what is saved, and shows it in the form again", async () => {
    const visitor = await admin();
    const answer = await post(visitor, { ...SETTINGS, banner: `  ${SETTINGS.banner} ` });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    expect(await messageAfter(visitor, answer)).toEqual({ kind: "ok", text: "Settings successfully updated." });
    expect(await findBanner()).toEqual(SETTINGS);
    expect(await findBannerOrigin()).toBe("https://images.example");
    expect(await trail()).toMatchObject([
      {
        event: "homepage.updated",
        actorName: expect.stringContaining("@") as string,
        message: `The homepage banner was set: image ${SETTINGS.banner}, link ${SETTINGS.link}, tooltip '${SETTINGS.tooltip}'.`,
      },
    ]);
    const { html } = await openPage(manage, visitor, PATH);
    for (const [name, value] of Object.entries(SETTINGS)) expect(valueOf(html, name)).toBe(value);
  });

  test("[MAN-01] replaces the earlier values", async () => {
    const visitor = await admin();
    await post(visitor, SETTINGS);
    await post(visitor, { ...SETTINGS, banner: "http://other.example/x.png" });
    expect(await findBanner()).toEqual({ ...SETTINGS, banner: "http://other.example/x.png" });
    expect(await findBannerOrigin()).toBe("http://other.example");
    expect(await getDb().selectFrom("settings").selectAll().execute()).toHaveLength(1);
  });

  const field = (name: keyof typeof SETTINGS, value: string) => ({ ...SETTINGS, [name]: value });
  test.each([
    ["banner empty", field("banner", ""), { banner: REQUIRED }],
    ["banner only spaces", field("banner", "   "), { banner: REQUIRED }],
    ["banner of another scheme", field("banner", "ftp://example.org/x"), { banner: URL_TEXT }],
    ["banner without a scheme", field("banner", "www.example.org"), { banner: URL_TEXT }],
    ["banner with a script", field("banner", "javascript:alert(1)//https://"), { banner: URL_TEXT }],
    [
      "banner with a host that ends a policy's directive",
      field("banner", "https://a;script-src/x"),
      { banner: URL_TEXT },
    ],
    ["banner for all hosts", field("banner", "https://*.example.org/x"), { banner: URL_TEXT }],
    ["banner of 8001", field("banner", address(8001)), { banner: TOO_LONG }],
    ["link empty", field("link", ""), { link: REQUIRED }],
    ["link only spaces", field("link", " \t "), { link: REQUIRED }],
    ["link of another scheme", field("link", "data:text/html,x"), { link: URL_TEXT }],
    ["link only scheme", field("link", "https://"), { link: URL_TEXT }],
    ["link with markup in it", field("link", 'https://example.org/"><b>'), { link: URL_TEXT }],
    ["banner with markup in it", field("banner", "https://example.org/<b></b>x.png"), { banner: URL_TEXT }],
    ["link only markup", field("link", "<b></b>"), { link: URL_TEXT }],
    ["link with a space", field("link", "https://example.org/a b"), { link: URL_TEXT }],
    ["link of 8001", field("link", address(8001)), { link: TOO_LONG }],
    ["tooltip empty", field("tooltip", ""), { tooltip: REQUIRED }],
    ["tooltip only spaces", field("tooltip", "  "), { tooltip: REQUIRED }],
    ["tooltip only markup", field("tooltip", "<b></b>"), { tooltip: "Markup is not allowed." }],
    ["tooltip of 501", field("tooltip", "a".repeat(501)), { tooltip: TOO_LONG }],
    ["nothing", {}, { banner: REQUIRED, link: REQUIRED, tooltip: REQUIRED }],
  ])("[MAN-01] refuses %s", async (_what, fields, errors) => {
    expect(await errorsOf(await post(await admin(), fields))).toMatchObject({ status: 422, errors });
    expect(await findBanner()).toBeNull();
    expect(await trail()).toEqual([]);
  });

  test.each([
    ["addresses of 8000", { banner: address(8000), link: address(8000) }],
    ["addresses of 7999", { banner: address(7999), link: address(7999) }],
    ["a tooltip of 500", { tooltip: "a".repeat(500) }],
    ["a tooltip of 499", { tooltip: "a".repeat(499) }],
    ["emoji", { tooltip: "Conference 🚗🔑" }],
    ["right-to-left text", { tooltip: "مؤتمر 2026" }],
    ["quotes and angles that are no markup", { tooltip: `5 < 6 & "quoted" 'text'` }],
    ["a link in capital letters", { link: "HTTPS://WWW.EXAMPLE.ORG/A" }],
  ])("[MAN-01] accepts %s", async (_what, fields) => {
    expect((await post(await admin(), { ...SETTINGS, ...fields })).status).toBe(303);
    expect(await findBanner()).toEqual({ ...SETTINGS, ...fields });
  });

  test("[MAN-01] keeps the typed values of a refused form and lists the problems by the fields' labels", async () => {
    const { status, html } = await openPage(manage, await admin(), PATH, {
      fields: { banner: "www.example.org", link: SETTINGS.link, tooltip: "" },
    });
    expect(status).toBe(422);
    expect(valueOf(html, "banner")).toBe("www.example.org");
    expect(valueOf(html, "link")).toBe(SETTINGS.link);
    expect(pageText(html)).toContain(URL_TEXT);
    expect(summaryOf(html)).toEqual([expect.stringContaining(URL_TEXT), expect.stringContaining("Image Tooltip")]);
    for (const [label, inSummary] of labelsOf(html)) expect(inSummary).toBe(label);
  });

  test("[MAN-01] removes markup from the tooltip", async () => {
    await post(await admin(), { ...SETTINGS, tooltip: "Meet <b>us</b><script>alert(1)</script>" });
    expect((await findBanner())?.tooltip).toBe("Meet us");
  });

  test("[MAN-01] says so when storing fails, keeps what was typed, and changes nothing", async () => {
    const visitor = await admin();
    await post(visitor, SETTINGS);
    await sql`alter table audit_entries rename to audit_entries_away`.execute(getDb());
    try {
      const { status, html } = await openPage(manage, visitor, PATH, {
        fields: { ...SETTINGS, tooltip: "Something new" },
      });
      expect(status).toBe(500);
      expect(html).toContain("Settings could not be saved.");
      expect(valueOf(html, "tooltip")).toBe("Something new");
      const removal = await post(visitor, { intent: "remove", confirmed: "yes" });
      expect(removal.status).toBe(500);
      expect((await errorsOf(removal)).errors).toEqual({ form: "Settings could not be saved." });
    } finally {
      await sql`alter table audit_entries_away rename to audit_entries`.execute(getDb());
    }
    expect(await findBanner()).toEqual(SETTINGS);
  });

  test("[MAN-01] removes the banner after a question, and audits it", async () => {
    const visitor = await admin();
    await post(visitor, SETTINGS);
    expect(textsOf((await openPage(manage, visitor, PATH)).html, "button")).toContain("Remove banner");
    const asked = await openPage(manage, visitor, PATH, { fields: { intent: "remove" } });
    expect(asked.html).toContain("Are you sure you wish to remove the banner from the login screen?");
    expect(valueOf(asked.html, "confirmed")).toBe("yes");
    expect(await findBanner()).toEqual(SETTINGS);

    const answer = await post(visitor, { intent: "remove", confirmed: "yes" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/dashboard"]);
    expect(await messageAfter(visitor, answer)).toEqual({ kind: "ok", text: "The banner has been removed." });
    expect([await findBanner(), await findBannerOrigin()]).toEqual([null, null]);
    expect((await trail()).map(({ event }) => event)).toEqual(["homepage.updated", "homepage.banner-removed"]);

    expect((await post(visitor, { intent: "remove", confirmed: "yes" })).status).toBe(303);
    expect(await trail()).toHaveLength(2);
  });

  test("[MAN-01] changes nothing for a form without the token of the session", async () => {
    expect((await post(await admin(), { ...SETTINGS, csrf: "another" })).status).toBe(403);
    expect(await findBanner()).toBeNull();
  });
});

describe("the banner on the login screen", () => {
  test("[PUB-03] is hidden when it is not set or the stored value is unreadable", async () => {
    const visitor = await anonymous();
    const images = async () => select((await openPage(login, visitor, "/login")).html, "img").length;
    expect(await images()).toBe(0);
    const row = { name: "homepage", userId: 0, updatedAt: new Date() };
    for (const value of ["{", "null", '{"banner":"javascript:alert(1)","link":"x","tooltip":"y"}']) {
      await getDb().deleteFrom("settings").execute();
      await getDb()
        .insertInto("settings")
        .values({ ...row, value })
        .execute();
      expect(await images()).toBe(0);
      expect(await findBannerOrigin()).toBeNull();
    }
  });

  test("[PUB-03] is an image of 450 by 200 pixels with the tooltip and the link", async () => {
    const tooltip = `"Meet" us & others`;
    await post(await admin(), { ...SETTINGS, tooltip });
    const { html } = await openPage(login, await anonymous(), "/login");
    const [banner, image] = [select(html, "a.banner"), select(html, "a.banner img")];
    expect(banner.attr("href")).toBe(SETTINGS.link);
    expect(banner.attr("title")).toBe(tooltip);
    expect(image.attr("alt")).toBe(tooltip);
    expect([image.attr("width"), image.attr("height")]).toEqual(["450", "200"]);
    expect(image.attr("src")).toBe(SETTINGS.banner);
    for (const part of [banner, image]) expect(part.attr("referrerpolicy")).toBe("no-referrer");
  });
});

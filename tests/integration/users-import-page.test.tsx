import { beforeAll, expect, test } from "vitest";
import { IMPORT_BYTES, IMPORT_ROWS } from "~/domain/accounts/import/prepared-import.service.server";
import * as importPage from "~/routes/home.users.import";
import * as preparedPage from "~/routes/home.users.import_.$draft";
import * as reportFile from "~/routes/home.users.import_.$draft_.report";
import * as templateFile from "~/routes/home.users.import_.template";
import { getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { auditAbout, confirmed } from "../support/administration";
import { createAdmin, createUser } from "../support/factories";
import { pageText, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

let olga: Awaited<ReturnType<typeof createAdmin>>;
let staff: Visitor;
beforeAll(async () => {
  olga = await createAdmin();
  staff = await signedInAs(olga);
});

const HEADER = "username,email,firstName,lastName,company,position,telephoneNumber,rights";
let count = 0;
/** Returns a row for a new person. */
const rowOf = (given: Partial<Record<"username" | "email" | "telephone" | "rights", string>> = {}) => {
  const username = `import-${(count += 1)}@keller.example`;
  const { email, telephone = "+49 711 555", rights = "" } = given;
  return [
    given.username ?? username,
    email ?? given.username ?? username,
    "Bruno",
    "Keller",
    "Keller",
    "EDI",
    telephone,
    rights,
  ];
};
const csvOf = (...rows: string[][]) => [HEADER, ...rows.map((row) => row.join(","))].join("\r\n");

const check = async (fields: Record<string, string | File>, visitor = staff) =>
  run(importPage.action, await visitor.post("/home/users/import", fields));

/** Checks a pasted text and returns the address of the page that shows it. */
async function prepared(csv: string): Promise<{ path: string; draft: string }> {
  const response = await check({ csv });
  expect(response.status).toBe(303);
  const path = response.headers.get("Location") ?? "";
  return { path, draft: path.split("/").at(-1) ?? "" };
}

interface Loaded {
  digest: string | null;
  counts: Record<string, number>;
  rows: {
    line: number;
    outcome: string;
    username: string;
    name: string;
    company: string;
    notes: string[];
    userId: number | null;
  }[];
}
const load = async ({ path, draft }: { path: string; draft: string }, visitor = staff) => {
  const response = await run(preparedPage.loader, visitor.get(path), { draft });
  return { status: response.status, ...(response.ok && (await jsonOf<Loaded>(response))) } as Loaded & {
    status: number;
  };
};
const send = async ({ path, draft }: { path: string; draft: string }, seen: string | null, visitor = staff) =>
  run(preparedPage.action, await visitor.post(path, { seen: seen ?? "" }), { draft });
const report = async ({ draft }: { draft: string }) =>
  (await run(reportFile.loader, staff.get(`/home/users/import/${draft}/report`), { draft })).text();
const accountOf = async ([username = ""]: string[]) => (await listUsersByLogin(getDb(), username))[0];

test("[CON-04] an import on the page shows what becomes of each line, stores nothing before it is confirmed, and then exactly that", async () => {
  const known = await createUser();
  const [one, two] = [rowOf(), rowOf()];
  const file = await prepared(csvOf(one, rowOf({ username: known.username }), two));
  const { html } = await openPage(preparedPage, staff, file.path, { params: { draft: file.draft } });
  expect(pageText(html)).toContain("2 new, 1 already registered and not changed, 0 wrong");
  expect(textsOf(html, 'td[data-l="Outcome"]')).toEqual(["New", "Exists, is left alone", "New"]);
  expect(await accountOf(one)).toBeUndefined();
  expect(await report(file)).toContain(`2,New,${one[0]},Bruno Keller,${one[1]},Keller,The person needs a link`);

  expect((await send(file, valueOf(html, "seen") ?? "")).status).toBe(303);
  const account = await accountOf(one);
  expect(account).toMatchObject({ isApplicant: true, isAdmin: false, mustChangePassword: true, emailVerifiedAt: null });
  expect(
    (await auditAbout(account ?? { id: 0 })).map(({ event, actorId, reference }) => [event, actorId, reference]),
  ).toEqual([["account.imported", olga.id, "pasted rows"]]);
  expect(await mailsTo(one[1] ?? "")).toEqual([]);
  const done = await load(file);
  expect(done.counts).toMatchObject({ Imported: 2, Existing: 1, New: 0, Wrong: 0 });
  expect(done.rows.map(({ line, outcome, userId }) => [line, outcome, userId])).toEqual([
    [2, "Imported", account?.id],
    [3, "Existing", known.id],
    [4, "Imported", (await accountOf(two))?.id],
  ]);
  expect(await report(file)).toContain(`2,Imported,${one[0]},,,,`);
  const kept = await getDb().selectFrom("drafts").select("data").where("id", "=", file.draft).executeTakeFirstOrThrow();
  expect(kept.data).not.toContain("Bruno");
  // The same form sent twice imports nothing again.
  expect((await send(file, valueOf(html, "seen") ?? "")).status).toBe(303);
});

test("[CON-04] wrong lines are named with field and rule, and nothing is imported while there is one; the right Admin is never imported", async () => {
  const good = rowOf();
  const file = await prepared(csvOf(good, rowOf({ email: "nobody" }), rowOf({ rights: "Admin" }), good));
  const { digest, rows, counts } = await load(file);
  expect(counts).toMatchObject({ New: 1, Wrong: 3 });
  expect(rows.map(({ line, outcome, notes }) => [line, outcome, notes.filter((note) => note.includes(":"))])).toEqual([
    [2, "New", []],
    [3, "Wrong", ["email: Email address is not valid."]],
    [4, "Wrong", ["rights: The right Admin is only imported on the command line, with --allow-admins."]],
    [5, "Wrong", ["username: Line 2 has this user name, too."]],
  ]);
  const whose = { username: expect.stringMatching(/^import-/) as string, name: "Bruno Keller", company: "Keller" };
  expect(rows).toEqual(rows.map(() => expect.objectContaining(whose) as unknown));
  const { errors } = await errorsOf(await send(file, digest));
  expect(errors.form).toContain("some lines are wrong");
  expect(await accountOf(good)).toBeUndefined();
});

test("[CON-04] nothing is imported when other things would become of the lines than the page showed", async () => {
  const [one, two] = [rowOf(), rowOf()];
  const file = await prepared(csvOf(one, two));
  const { digest } = await load(file);
  await createUser({ username: one[0] ?? "" });
  const { status, errors } = await errorsOf(await send(file, digest));
  expect(status).toBe(409);
  expect(errors.form).toContain("nothing was imported");
  expect(await accountOf(two)).toBeUndefined();
  expect((await send(file, (await load(file)).digest)).status).toBe(303);
  expect(await accountOf(two)).toBeDefined();
});

test.each([
  ["nothing", {}, "csvFile", "This field is required."],
  [
    "an unknown column",
    { csv: `${HEADER},shoeSize\r\na,b` },
    "csv",
    "Line 1: the header row has unknown columns: 'shoeSize'.",
  ],
  ["no rows", { csv: HEADER }, "csv", "The file has no rows below the header row."],
  ["too many bytes", { csv: "x".repeat(IMPORT_BYTES + 1) }, "csv", "The file is larger than 512 KB."],
  [
    "too many rows",
    { csv: csvOf(...Array.from({ length: IMPORT_ROWS + 1 }, () => ["a"])) },
    "csv",
    `The file has ${IMPORT_ROWS + 1} rows, more than ${IMPORT_ROWS}.`,
  ],
  [
    "another encoding",
    { csvFile: new File([Buffer.from(`${HEADER}\r\nM\xfcller`, "latin1")], "a.csv") },
    "csvFile",
    "not UTF-8",
  ],
])("[CON-04] a file with %s is refused at its field", async (_what, fields, field, message) => {
  const { status, errors, values } = await errorsOf(await check(fields));
  expect(status).toBe(422);
  expect(errors[field]).toContain(message);
  if ("csv" in fields) expect(values.csv).toBe(fields.csv);
});

test("[CON-04] a file is only for whoever prepared it; the template has the columns", async () => {
  const file = await prepared(csvOf(rowOf()));
  const other = await signedInAs(await createAdmin());
  expect((await load(file, other)).status).toBe(404);
  expect((await send(file, (await load(file)).digest, other)).status).toBe(404);
  const template = await (await run(templateFile.loader, staff.get("/home/users/import/template"))).text();
  expect(template).toContain("username,email,firstName,lastName,company,position,telephoneNumber,");
  const filled = `${template.trim().replace("\ufeff", "")}\r\n`;
  expect((await errorsOf(await check({ csv: filled }))).errors.csv).toBe("The file has no rows below the header row.");
});

test("[USR-07] an erasure deletes a prepared file that names the person", async () => {
  const person = await createUser();
  const [named, other] = [
    await prepared(csvOf(rowOf({ username: "bruno.k", email: person.email.toUpperCase() }))),
    await prepared(csvOf(rowOf())),
  ];
  const erasing = { intent: "erase", reason: "Asked by letter" };
  expect((await confirmed(await signedInAs(await createAdmin()), person, erasing)).status).toBe(303);
  expect((await load(named)).status).toBe(404);
  expect((await load(other)).status).toBe(200);
});

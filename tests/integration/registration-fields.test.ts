import { describe, expect, test } from "vitest";
import { verifyPassword } from "~/domain/accounts/passwords.server";
import * as register from "~/routes/_public.register/route";
import { getDb } from "~db/connection.server";
import { listUsersByLogin } from "~db/repositories/users.server";
import { blankTexts, emptyTexts, onlyMarkup, takenTexts, tooLongTexts } from "../support/edges";
import { ODD_PASSWORDS } from "../support/factories";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";
import { anonymous, errorsOf, run } from "../support/visitor";

usePortal();

const submit = async (fields: Record<string, string>) =>
  run(register.action, await (await anonymous()).post("/register", fields));

const stored = async (change: Record<string, string>) => {
  const fields = filledRegistration(change);
  expect([change, (await submit(fields)).status]).toEqual([change, 303]);
  const [user] = await listUsersByLogin(getDb(), fields.email.trim().toLowerCase());
  if (!user) throw new Error("no such account");
  return user;
};

const refusal = async (change: Record<string, string>) => {
  const { status, errors } = await errorsOf(await submit(filledRegistration(change)));
  return [change, status, errors];
};

const refuses = async (change: Record<string, string>, errors: Record<string, string>) =>
  expect(await refusal(change)).toEqual([change, 422, errors]);

const texts = [
  ["firstName", 59],
  ["lastName", 59],
  ["company", 120],
  ["position", 120],
] as const;

describe.each(texts)("%s takes at most %i characters and", (name, max) => {
  test("[REG-01] [GEN-03] accepts every script and signs that are no markup; markup and surrounding spaces are removed", async () => {
    for (const [typed, kept] of takenTexts(max)) expect((await stored({ [name]: typed }))[name]).toBe(kept);
  });

  test("[REG-01] [REG-07] refuses one more character and invisible text", async () => {
    for (const [typed, message] of [...tooLongTexts(max), ...emptyTexts])
      await refuses({ [name]: typed }, { [name]: message });
  });
});

test("[REG-01] the security answer takes at most 120 characters and is required", async () => {
  await stored({ securityAnswer: "x".repeat(119) });
  await stored({ securityAnswer: "x".repeat(120) });
  await stored({ securityAnswer: "🐕 بيلو" });
  for (const [securityAnswer, message] of [...tooLongTexts(120), ...emptyTexts])
    await refuses({ securityAnswer }, { securityAnswer: message });
});

test("[REG-02] the question must be one of those offered, not the placeholder", async () => {
  await refuses({ securityQuestion: "" }, { securityQuestion: "This field is required." });
  await refuses({ securityQuestion: "  " }, { securityQuestion: "This field is required." });
  await refuses({ securityQuestion: "Why?" }, { securityQuestion: "The value is not part of the collection." });
});

test("[REG-01] a telephone number has a digit, and only digits, spaces, +, parentheses and braces, at most 35", async () => {
  for (const telephoneNumber of ["1", "1".repeat(34), "1".repeat(35), "+49 (221) {123} 4"])
    expect((await stored({ telephoneNumber })).telephoneNumber).toBe(telephoneNumber);
  const invalid = ["+", "+ ( ) { }", "0221/123", "0221-123", "phone 1", "٠١٢٣", "📞1", "1\u200e2"];
  for (const telephoneNumber of invalid)
    await refuses({ telephoneNumber }, { telephoneNumber: "Telephone number is not valid." });
  await refuses({ telephoneNumber: "1".repeat(36) }, { telephoneNumber: "Entered value is not valid." });
  for (const [telephoneNumber, message] of emptyTexts) await refuses({ telephoneNumber }, { telephoneNumber: message });
});

let count = 0;
const emailOf = (length: number) => {
  const domain = "@example-parts.com";
  return String((count += 1)).padStart(length - domain.length, "a") + domain;
};

test("[REG-01] an email has at most 200 characters, a local part, and a domain or an IP literal", async () => {
  for (const email of [emailOf(199), emailOf(200), "edi+orders@[192.0.2.7]"])
    expect((await stored({ email, confirmEmail: email })).email).toBe(email);
  const tooLong = emailOf(201);
  const lengths = { email: "Entered value is not valid.", confirmEmail: "Entered value is not valid." };
  await refuses({ email: tooLong, confirmEmail: tooLong }, lengths);
  for (const email of [
    "a@b",
    "a b@example.com",
    "a@example..com",
    "@example.com",
    "שלום@example.com",
    "🚗@example.com",
    "anna<b></b>@example.com",
    "<b>anna</b>@example.com",
    onlyMarkup,
  ])
    await refuses(
      { email, confirmEmail: email },
      { email: "Email address is not valid.", confirmEmail: "Email address is not valid." },
    );
  for (const [email, message] of blankTexts)
    await refuses({ email, confirmEmail: email }, { email: message, confirmEmail: message });
});

test("[REG-01] a password has 8 to 50 characters and is taken exactly as typed", async () => {
  for (const password of ODD_PASSWORDS) {
    const { passwordHash } = await stored({ password, confirmPassword: password });
    expect([password, await verifyPassword(passwordHash, password)]).toEqual([password, true]);
  }
  const short = "The password must have at least 8 characters.";
  await refuses({ password: "a1b2c3d", confirmPassword: "a1b2c3d" }, { password: short });
  const long = "y".repeat(51);
  const outOfRange = "Entered value is not valid.";
  await refuses({ password: long, confirmPassword: long }, { password: outOfRange, confirmPassword: outOfRange });
  const required = "This field is required.";
  for (const blank of ["", " ".repeat(9)])
    await refuses({ password: blank, confirmPassword: blank }, { password: required, confirmPassword: required });
});

test("[REG-01] the confirmation of an email may differ in case, that of a password may not", async () => {
  const notEqual = "Entered values do not match.";
  await refuses({ confirmEmail: "other@example-parts.com" }, { confirmEmail: notEqual });
  await refuses({ confirmPassword: "Correct horse battery" }, { confirmPassword: notEqual });
  await refuses({ confirmPassword: "correct horse battery " }, { confirmPassword: notEqual });
  const email = emailOf(40);
  await stored({ email, confirmEmail: ` ${email.toUpperCase()}` });
});

test("[GEN-03] a '<' that begins no complete tag is kept; nested tags are removed too", async () => {
  const kept = ["A < B & C", "Müller <GmbH", "a<b", "x > y", "1 <2> 3", "a </b", "a <!-- b"];
  for (const company of kept) expect((await stored({ company })).company).toBe(company);
  const stripped = [
    ["<b>A</b> < B & C<D", "A < B & C<D"],
    ["A<<b>script>alert", "A alert"],
    ["A<<<i>b>script>", "A"],
    ["<b>A</b> >3 <!-- no --><3", "A >3 <3"],
    ["<script>if (a<b) x > 1</script>A", "A"],
    ["<b title='>'>A", "A"],
  ] as const;
  for (const [typed, company] of stripped)
    expect([typed, (await stored({ company: typed })).company]).toEqual([typed, company]);
});

test("[GEN-03] direction signs and zero-width spaces are removed; joiners stay, and passwords are not changed", async () => {
  const hidden = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b";
  expect((await stored({ company: `A${hidden}B` })).company).toBe("AB");
  expect((await stored({ company: "<\u202eb>B</b\u200b>" })).company).toBe("B");
  for (const company of ["👩\u200d🔬", "می\u200cخواهم", "\u200eA"])
    expect((await stored({ company })).company).toBe(company);
  const password = "correct \u200bhorse <b>battery";
  const { passwordHash } = await stored({ password, confirmPassword: password });
  expect(await verifyPassword(passwordHash, password)).toBe(true);
});

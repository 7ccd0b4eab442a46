import { describe, expect, test } from "vitest";
import { readPersonalData } from "~/domain/accounts/personal-data/export.service.server";
import { addDomain } from "~/domain/companies/domains/domains.service.server";
import { createColleague, personOf } from "../support/companies";
import { added, entriesOf, linkTo, open, openLink, press, pressed, rowOf } from "../support/domain-pages";
import { addTo } from "../support/domains";
import { createPerson, erase, placesOf } from "../support/erasure";
import { createUser } from "../support/factories";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { setVariable } from "../support/variables";
import { errorsOf, signedInAs } from "../support/visitor";

usePortal();

describe("[PUR-03] a link that is mailed confirms", () => {
  test("a domain by one of its usual mailboxes, once, when the button is pressed and not when it is opened", async () => {
    const owner = await createUser({ company: "Posted Ltd" });
    const visitor = await signedInAs(owner);
    const { id } = await addTo(owner, "posted.example.com");
    const address = "hostmaster@posted.example.com";
    expect(await pressed(visitor, id, { intent: "mail", address })).toBe(
      `The link that confirms posted.example.com is on its way to ${address}.`,
    );
    const token = await linkTo(address);
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toBe("Please confirm a domain or mailbox");
    expect(mail?.text).toContain("we have not checked it");
    expect(mail?.text).toContain("/no-more-messages/");
    const { html } = await openLink(token);
    expect(pageText(html)).toContain("Posted Ltd");
    expect(await rowOf(id)).toMatchObject({ confirmedAt: null });
    expect(pageText((await openLink(token, {})).html)).toContain(
      "Domain confirmed Thank you. posted.example.com is confirmed for Posted Ltd .",
    );
    expect(await rowOf(id)).toMatchObject({ method: "mail", mailTokenHash: null });
    expect(textsOf((await openLink(token)).html, "h1")).toEqual(["This link cannot be used"]);
    expect((await entriesOf(owner.companyId)).slice(1)).toEqual([
      `Sent a link to ${address} that confirms posted.example.com for Posted Ltd.`,
      expect.stringMatching(/^Confirmed posted\.example\.com for Posted Ltd until .*: Email\.$/),
    ]);
  });

  test("a mailbox by itself, and no domain", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const id = await addDomain(await personOf(owner), "IT@Mailbox.example.com");
    const { html } = await open(visitor, id);
    expect(textsOf(html, "h3, h2")).not.toContain("By a DNS record");
    await press(visitor, id, { intent: "mail", address: "it@mailbox.example.com" });
    expect(pageText((await openLink(await linkTo("it@mailbox.example.com"), {})).html)).toContain("Mailbox confirmed");
    expect(await added(visitor, "mailbox.example.com")).toMatch(/domains\/\d+$/);
    expect(await pressed(visitor, id, { intent: "check-dns" })).toBe(
      "A mailbox is confirmed by the link in a message to it.",
    );
  });

  test("at most five times a day for one address", async () => {
    const address = "admin@flooded.example.com";
    const outcomes: unknown[] = [];
    setVariable("RATE_LIMITS", "on");
    for (let count = 0; count < 6; count += 1) {
      const owner = await createUser();
      const { id } = await addTo(owner, "flooded.example.com");
      outcomes.push((await press(await signedInAs(owner), id, { intent: "mail", address })).status);
    }
    setVariable("RATE_LIMITS", "off");
    expect(outcomes).toEqual([303, 303, 303, 303, 303, 429]);
  });

  test("and goes to no other address", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const { id } = await addTo(owner, "strict.example.com");
    const answer = await errorsOf(await press(visitor, id, { intent: "mail", address: "me@strict.example.com" }));
    expect(answer.errors.address).toBe(
      "Choose one of these: admin@strict.example.com, administrator@strict.example.com, webmaster@strict.example.com, hostmaster@strict.example.com, postmaster@strict.example.com.",
    );
    expect(await mailsTo("me@strict.example.com")).toEqual([]);
    const unconfirmed = await createUser({ emailVerifiedAt: null });
    const { id: other } = await addTo(unconfirmed, "early.example.com");
    const early = await signedInAs(unconfirmed);
    expect(await pressed(early, other, { intent: "mail", address: "admin@early.example.com" })).toMatch(
      /^Please confirm your own email address first\./,
    );
  });

  test("until a newer link or new values replace it, or the domain is removed", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const { id } = await addTo(owner, "newer.example.com");
    const send = async (local: string) => {
      await press(visitor, id, { intent: "mail", address: `${local}@newer.example.com` });
      return linkTo(`${local}@newer.example.com`);
    };
    const links = [await send("admin"), await send("webmaster")];
    expect(textsOf((await openLink(links[0] ?? "", {})).html, "h1")).toEqual(["This link cannot be used"]);
    await press(visitor, id, { intent: "renew" });
    expect(textsOf((await openLink(links[1] ?? "", {})).html, "h1")).toEqual(["This link cannot be used"]);
    const last = await send("postmaster");
    await press(visitor, id, { intent: "remove", confirmed: "yes" });
    expect(textsOf((await openLink(last, {})).html, "h1")).toEqual(["This link cannot be used"]);
  });
});

describe("[USR-01] the mailbox of a person", () => {
  test("is part of the export, and nothing of it is left when the person is erased", async () => {
    const person = await createPerson();
    const colleague = await createColleague(person, "owner");
    const visitor = await signedInAs(colleague);
    const id = await addDomain(await personOf(colleague), person.email);
    await press(visitor, id, { intent: "mail", address: person.email });
    const token = await linkTo(person.email);
    await openLink(token, {});
    expect(await rowOf(id)).toMatchObject({ method: "mail" });
    const exported = await readPersonalData(await personOf(person), person.id);
    expect(JSON.stringify(exported)).toContain("Domains and mailboxes of companies");
    await erase(person);
    expect(await rowOf(id)).toMatchObject({ endedWhy: "The person of the mailbox was erased." });
    expect(await placesOf([person.email])).toEqual(["mails.recipient"]);
    expect((await mailsTo(person.email)).map(({ dedupeKey }) => dedupeKey)).toEqual([`data-erased:${person.id}`]);
  });
});

import { describe, expect, test } from "vitest";
import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { storedUser } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { createColleague, personOf, rolesIn } from "../support/companies";
import { createPerson, erase, placesOf, setCertificate } from "../support/erasure";
import { createStaff, createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const future = () => new Date(Date.now() + 100 * DAY).toISOString();

const contactOf = (user: { firstName: string; lastName: string; email: string; telephoneNumber: string }) =>
  JSON.stringify({
    name: `${user.firstName} ${user.lastName}`,
    company: "Ten Points",
    position: "Buyer",
    email: user.email,
    addressLine1: "1 Mill Lane",
    addressLine2: "",
    city: "Coventry",
    postalCode: "CV1 1AA",
    countryId: 826,
    country: "United Kingdom",
    phoneNumber: user.telephoneNumber,
  });

describe("what stops an erasure", () => {
  test("rights of staff", async () => {
    const staff = await createStaff(["auditor"]);
    await expect(erase(staff)).rejects.toThrow("rights of staff, which must be withdrawn first: Auditor.");
  });

  test("being the last owner of a company with other members; with another owner the person only leaves", async () => {
    const person = await createPerson();
    const colleague = await createColleague(person, "purchaser");
    await expect(erase(person)).rejects.toThrow(/has other members and no other owner/);
    await getDb().updateTable("memberships").set({ role: "owner" }).where("userId", "=", colleague.id).execute();
    await erase(person);
    expect(await rolesIn(person)).toEqual({ [colleague.id]: "owner" });
    expect((await personOf(colleague)).company).toBe(person.company);
  });

  test("certificates in force, pending orders and unpaid orders of a company of one", async () => {
    const person = await createPerson();
    const { id, orderId } = await createCertificateOrder(person);
    await expect(erase(person)).rejects.toThrow(/1 pending order of a certificate.*1 sales order that is not paid/);
    await getDb().updateTable("orders").set({ status: "Paid" }).where("id", "=", orderId).execute();
    await setCertificate(id, { status: "Issued", expiryDate: future() });
    await expect(erase(person)).rejects.toThrow("1 certificate in force, which must be revoked or have ended");
    expect((await storedUser(person)).erasedAt).toBeNull();
    await setCertificate(id, { status: "Expired" });
    await erase(person);
    expect((await storedUser(person)).erasedAt).not.toBeNull();
  });

  test("being the contact of a pending order, which is named; contacts of certificates in force are erased when these end", async () => {
    const [person, owner] = [await createPerson(), await createPerson()];
    const named = {
      authenticationContact: contactOf(person),
      authenticationEmail: person.email,
      contactAnswerBy: person.email,
    };
    const pending = await createCertificateOrder(owner, undefined, named);
    const ended = await createCertificateOrder(owner, undefined, { ...named, status: "Rejected" });
    await expect(erase(person)).rejects.toThrow(
      `These pending orders name the person as a contact and must be decided or cancelled first: SO-${pending.orderId}. The contact who was asked for the authorisation can refuse an order by the link in that message; staff then reject it.`,
    );
    await setCertificate(pending.id, { status: "Issued", expiryDate: future() });
    await erase(person);
    const contacts = async ({ id }: { id: number }) =>
      (await getDb().selectFrom("certificates").selectAll().where("id", "=", id).executeTakeFirstOrThrow())
        .authenticationContact;
    expect(await contacts(ended)).toContain(`"name":"Erased person ${person.id}"`);
    expect(await contacts(ended)).not.toContain(person.telephoneNumber);
    expect(await contacts(pending)).toContain(person.lastName);
    await setCertificate(pending.id, { status: "Expired" });
    expect(await completeErasures()).toMatch(/^1 contacts/);
    expect(await completeErasures()).toMatch(/^0 contacts/);
    expect(await contacts(pending)).toContain(`"name":"Erased person ${person.id}"`);
    expect(await placesOf([person.lastName, person.telephoneNumber])).toEqual([]);
  });

  test("another open account with the same address", async () => {
    const person = await createPerson();
    const twin = await createUser({ email: person.email, username: `${person.username}.2` });
    await expect(erase(person)).rejects.toThrow(`must be merged or disabled first: ${twin.username}.`);
  });
});

import { expect, test } from "vitest";
import { SIGN_ON_REFUSALS } from "~/domain/accounts/single-sign-on/refusals";
import { getDb } from "~db/connection.server";
import { auditAbout } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { useIdentityProvider } from "../support/identity-provider";
import { usePortal } from "../support/portal";
import { refusedWith, signOn } from "../support/sign-on";
import { anonymous } from "../support/visitor";

usePortal({}, "strict");
const provider = useIdentityProvider();

test("a group gives no right of staff to a member of a customer company, who is told why, and the audit trail says so", async () => {
  const user = await createUser();
  const person = { sub: "former-staff", email: user.email, email_verified: true, given_name: "Anna" };
  const right = { userId: user.id, right: "auditor" as const, grantedAt: new Date() };
  await getDb()
    .insertInto("userRights")
    .values({ ...right, grantedBy: "tests" })
    .execute();
  provider.person = { ...person, groups: ["ca-officers"] };
  expect((await signOn(await anonymous())).status).toBe(303);
  await getDb().deleteFrom("userRights").where("userId", "=", user.id).execute();
  await getDb().deleteFrom("groupRights").where("userId", "=", user.id).execute();
  await createCertificateOrder(user);

  const { status, text } = SIGN_ON_REFUSALS.company;
  expect(await refusedWith(await signOn(await anonymous()))).toEqual([status, text]);
  expect(await getDb().selectFrom("userRights").selectAll().where("userId", "=", user.id).execute()).toEqual([]);
  expect((await auditAbout(user)).at(-1)).toMatchObject({
    event: "account.right-withheld",
    message: `Did not grant what groups of the identity provider give (Registration officer): the account is a member of the customer ${user.company}.`,
  });
});

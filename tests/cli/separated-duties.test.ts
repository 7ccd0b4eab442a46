import { expect, test } from "vitest";
import { auditAbout } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { runCommand } from "../support/command";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

const portal = usePortal({}, "strict");

const grant = (...args: string[]) => runCommand(["users", "grant", ...args], portal.env);

test("a right of staff for a member of a customer company is refused, and granted only as a last resort, which is audited", async () => {
  const user = await createUser();
  const { email, username, company } = user;
  await createCertificateOrder(user);
  const refused = await grant(email, "Finance", "--operator", "ian");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain(`The account is a member of ${company}, a customer`);
  expect(refused.err).toContain("As a last resort, the option --although-customer grants it all the same.");
  expect((await grant(email, "Finance", "--although-customer")).err).toContain("--although-customer needs --operator.");
  expect(await grant(email, "Finance", "--although-customer", "--operator", "ian")).toMatchObject({
    code: 0,
    out: `Granted Finance to ${username}\n`,
  });
  expect((await auditAbout(user)).map(({ actorName, message }) => `${actorName}: ${message}`)).toEqual([
    `command line (ian): Granted the right Finance. As a last resort, although the account is a member of the customer ${company}.`,
  ]);
});

test("the rights that two user administrators grant need the operator's name, and others do not", async () => {
  const user = await createUser();
  for (const right of ["Approver", "User administrator", "Admin"]) {
    const refused = await grant(user.email, right);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`the right ${right} needs --operator WHO`);
  }
  expect(await grant(user.email, "Registration officer")).toMatchObject({ code: 0 });
  expect(await grant(user.email, "Approver", "--operator", "ian")).toMatchObject({ code: 0 });
  expect((await auditAbout(user)).at(-1)).toMatchObject({ actorName: "command line (ian)" });
});

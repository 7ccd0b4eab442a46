import { expect, test } from "vitest";
import * as dashboard from "~/routes/home.dashboard";
import { createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { signedInAs } from "../support/visitor";

usePortal();

test("the dashboard counts pending orders in the right number", async () => {
  const visitor = await signedInAs(await createUser({ isAdmin: true }));
  const shown = async () => (await openPage(dashboard, visitor, "/home/dashboard")).html;
  expect(await shown()).toContain("<strong>0</strong> pending orders");
  await createCertificateOrder(await createUser());
  expect(await shown()).toContain("<strong>1</strong> pending order<");
});

import { type Page } from "playwright";
import { expect } from "vitest";
import { type useBrowser } from "./browser";
import { addApp, enterCode, enterPassword } from "./factors";
import { completeRegistration, CUSTOMER, type Customer, heading, logOut, register, verifyEmail } from "./journey";

/** Registers a member of staff of a portal with separated duties, who logs in with a second factor. */
export async function memberOfStaff(
  state: ReturnType<typeof useBrowser>,
  firstName: string,
  right: string,
): Promise<Page> {
  const email = `${firstName.toLowerCase()}@association.example`;
  const who: Customer = { ...CUSTOMER, firstName, lastName: "Staff", email, company: `Association ${firstName}` };
  const page = await state.open();
  await register(page, who);
  // Staff with the number of a customer's company would neither check nor approve its orders.
  await completeRegistration(page, { companyRegistrationNumber: "VR 4711" });
  await verifyEmail(page, state.portal, who);
  const { app } = await addApp(page);
  await logOut(page);
  for (const change of [
    ["grant", email, right],
    ["withdraw", email, "applicant"],
  ])
    expect(await state.portal.command(["users", ...change, "--operator", "ian"])).toMatchObject({ code: 0 });
  await enterPassword(page, who);
  await enterCode(page, "000000");
  await page.getByText("This code is not right.").first().waitFor();
  await enterCode(page, app.code());
  await heading(page, `Welcome, ${firstName}`);
  return page;
}

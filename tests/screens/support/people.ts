import { type Page } from "playwright";
import { type useBrowser } from "../../e2e/support/browser";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  logIn,
  register,
  verifyEmail,
} from "../../e2e/support/journey";
import { type useOpenssl } from "../../support/openssl";

type State = ReturnType<typeof useBrowser>;

/** The customer, logged in and with complete details. */
export async function registered(state: State): Promise<Page> {
  const page = await state.open();
  await register(page, CUSTOMER);
  await completeRegistration(page);
  await verifyEmail(page, state.portal, CUSTOMER);
  return page;
}

export async function administrator(state: State): Promise<Page> {
  const page = await state.open();
  await logIn(page);
  return page;
}

/**
 * Buys two certificates as the customer. One order is approved and issued, the other one waits. Returns the number of the order that waits.
 */
export async function buyTwo(
  state: State,
  files: ReturnType<typeof useOpenssl>,
  { customer, admin }: { customer: Page; admin: Page },
): Promise<string> {
  const csr = () =>
    files.makeCsr({ subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`, "IP:192.0.2.1"] }).pem;
  const first = await buy(customer, csr());
  await authorise(await state.open(), state.portal);
  await approve(admin, first);
  return buy(customer, csr());
}

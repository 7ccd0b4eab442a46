import { type ActionFunctionArgs } from "@remix-run/node";
import { type CertificateWizard } from "~/lib/paths";
import * as start from "~/routes/home.certificate.$wizard._index";
import * as contact from "~/routes/home.certificate.$wizard.contact-details";
import * as invoice from "~/routes/home.certificate.$wizard.invoice-address/route";
import * as complete from "~/routes/home.certificate.$wizard.order-complete";
import * as order from "~/routes/home.certificate.$wizard.order/route";
import * as frame from "~/routes/home.certificate.$wizard/route";

type Handler = (args: ActionFunctionArgs) => unknown;

/** Binds the handlers of a route to the addresses of one wizard, as the router does. */
function at<Route extends { loader: Handler; action?: Handler }>(wizard: CertificateWizard, route: Route): Route {
  const { loader, action } = route;
  const bound = (handler: Handler) => (args: ActionFunctionArgs) =>
    handler({ ...args, params: { ...args.params, wizard } });
  return { ...route, loader: bound(loader), ...(action && { action: bound(action) }) };
}

const routesOf = (wizard: CertificateWizard) => ({
  frame: at(wizard, frame),
  start: at(wizard, start),
  contact: at(wizard, contact),
  order: at(wizard, order),
  invoice: at(wizard, invoice),
  complete: at(wizard, complete),
});

/** The routes of the purchase and of the renewal of a certificate. */
export const purchase = routesOf("purchase");
export const renewal = routesOf("renew");

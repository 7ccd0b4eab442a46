import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FieldGroup } from "~/components/forms/field-group";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { EndStandingForm } from "~/components/standing/end-standing-form";
import { OrdersUnder, StandingCards } from "~/components/standing/standing-parts";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import { chooseInvoicing, endOwnStanding } from "~/domain/certificates/standing/asking.service.server";
import { finishUnder, keptInRenewal, placeUnder } from "~/domain/certificates/standing/ordering.service.server";
import { END_STANDING_FORM, ORDER_UNDER_FORM, STANDING_LABELS } from "~/domain/certificates/standing/standing";
import {
  endStandingValidator,
  orderUnderValidator,
  renewalUnderValidator,
} from "~/domain/certificates/standing/validators";
import {
  getOwnStanding,
  getRenewalUnder,
  type OwnStandingPage,
  type RenewalUnder,
  yearsWithPrices,
} from "~/domain/certificates/standing/views.service.server";
import { getOriginal } from "~/domain/certificates/succession/renewal.service.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const LABELS = { csr: "CSR", oftpid: "OFTP ID", usage: "Usage", validityPeriod: "Validity", reason: "Reason" } as const;

const END = { title: "End it", button: "End" } as const;
const WITHDRAW = { title: "Withdraw it", button: "Withdraw" } as const;

/** Returns the id of the order whose certificate is to be renewed, or null for a new certificate. Throws a PortalError (404) for anything else. */
const renewedOrder = (request: Request): number | null => {
  const text = new URL(request.url).searchParams.get("renew");
  return text === null ? null : readId(text);
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const page = await getOwnStanding(user, readId(params.id));
  const mayOrder = mayAsMember(user, "place-orders") && page.state === "Active";
  const orderId = renewedOrder(request);
  const renewal = mayOrder && orderId !== null ? await getRenewalUnder(user, orderId, page.longestYears) : null;
  const mayEnd = mayAsMember(user, "manage-company") && user.impersonator === null && page.endedAt === null;
  const mayManage = mayAsMember(user, "manage-company");
  const hasKeys = mayManage && page.approvedAt !== null;
  const years = yearsWithPrices(page.longestYears);
  return json({ page, renewal, years, company: user.company, mayOrder, mayEnd, hasKeys });
}

/** Reads the form of a new certificate, or that of the renewal of an order's certificate. */
async function readOrder(user: SessionUser, renewed: number | null, sent: FormData) {
  if (renewed === null) {
    const form = await orderUnderValidator.validate(sent);
    return form.error ? form : { ...form, data: { ...form.data, original: null } };
  }
  const original = await getOriginal(user, renewed);
  const form = await renewalUnderValidator(original.refusals).validate(sent);
  return form.error ? form : { ...form, data: { ...form.data, ...keptInRenewal(original) } };
}

/** Orders a certificate or a renewal under the standing authorisation, and leads to the page of the order. */
async function order(request: Request, user: SessionUser, id: number, sent: FormData): Promise<Response> {
  const form = await readOrder(user, renewedOrder(request), sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const { orderId } = await placeOnce(null, (claim) => placeUnder(user, id, form.data, claim));
    const { isIssued, reasons } = await finishUnder(orderId);
    const text = isIssued ? "The certificate has been issued." : `The order was placed and waits. ${reasons.join(" ")}`;
    return await redirectWithToast(request, paths.order(orderId), { kind: isIssued ? "ok" : "warn", text });
  } catch (error) {
    return refused(error, form.submittedData, ORDER_UNDER_FORM);
  }
}

/** Ends the standing authorisation. */
async function end(request: Request, user: SessionUser, id: number, sent: FormData): Promise<Response> {
  const form = await endStandingValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await endOwnStanding(user, id, form.data.reason);
    const text = `Standing authorisation ${id} has ended.`;
    return await redirectWithToast(request, accountPaths.standingAuthorisation(id), { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, END_STANDING_FORM);
  }
}

/** Chooses whether orders are on one invoice a month. */
async function invoicing(request: Request, user: SessionUser, id: number, isMonthly: boolean): Promise<Response> {
  const here = accountPaths.standingAuthorisation(id);
  try {
    await chooseInvoicing(user, id, isMonthly);
  } catch (error) {
    if (!isPortalError(error) || error.status !== 422) throw error;
    return redirectWithToast(request, here, { kind: "warn", text: error.message });
  }
  const text = isMonthly ? "New orders are on one invoice a month." : "Each new order has its own invoice.";
  return redirectWithToast(request, here, { kind: "ok", text });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const id = readId(params.id);
  const member = await requireUser(request, "see-company");
  await getOwnStanding(member, id);
  const sent = await readForm(request);
  const intent = intentOf(sent, ["order", "end", "invoice-monthly", "invoice-each"]);
  if (intent === "order") return order(request, await requireUser(request, "place-orders"), id, sent);
  const user = await requireUser(request, "manage-company");
  return intent === "end" ? end(request, user, id, sent) : invoicing(request, user, id, intent === "invoice-monthly");
}

interface CostProps {
  years: { value: string; label: string }[];
  page: OwnStandingPage;
}

/** The years that can be chosen with their prices, and who is invoiced. */
const YearsField = ({ years, page }: CostProps) => (
  <SelectField
    name="validityPeriod"
    label={LABELS.validityPeriod}
    hint={`Without VAT, on an invoice with the purchase order number ${page.purchaseOrderNumber}.`}
    options={years}
    required
  />
);

/** Renews a certificate with a CSR. */
function RenewalForm({ certificateId, commonName, refusals, years, page }: RenewalUnder & CostProps) {
  const validator = useMemo(() => renewalUnderValidator(refusals), [refusals]);
  if (years.length === 0)
    return (
      <Note tone="warn" title="It cannot be renewed under this standing authorisation.">
        {Object.values(refusals)[0]}
      </Note>
    );
  return (
    <Card title="Renew a certificate">
      <p>
        Renewal of certificate <Link to={paths.certificateDetails(certificateId)}>{certificateId}</Link>,{" "}
        <bdi>{commonName}</bdi>. It keeps the subject, the usage and the OFTP ID.
      </p>
      <PortalForm id={ORDER_UNDER_FORM} validator={validator} defaultValues={{ validityPeriod: "1" }}>
        <TextareaField name="csr" label={LABELS.csr} hint="As PEM, with a new key." rows={8} mono required />
        <YearsField years={years} page={page} />
        <ButtonRow>
          <SubmitButton intent="order" busyText="Ordering…">
            Renew now
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

/** Orders a certificate with a CSR. */
function OrderForm({ years, page }: CostProps) {
  const first = { validityPeriod: "1", ...Object.fromEntries(page.usages.map((flag) => [flag, "on"])) };
  return (
    <Card title="Order a certificate">
      <PortalForm id={ORDER_UNDER_FORM} validator={orderUnderValidator} defaultValues={first}>
        <TextareaField name="csr" label={LABELS.csr} hint="As PEM, with a new key." rows={8} mono required />
        <TextField name="oftpid" label={LABELS.oftpid} hint="Only when the CSR states none." mono optional />
        <FieldGroup legend={LABELS.usage} errorName="usage">
          {page.usages.map((flag) => (
            <CheckboxField key={flag} name={flag} label={STANDING_LABELS[flag]} />
          ))}
        </FieldGroup>
        <YearsField years={years} page={page} />
        <ButtonRow>
          <SubmitButton intent="order" busyText="Ordering…">
            Order now
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

/** Offers one invoice a month, or one for each order again. */
const InvoicingForm = ({ isMonthly, awaiting }: { isMonthly: boolean; awaiting: string | null }) => (
  <Card title="Invoices">
    <p>
      {isMonthly
        ? "All certificates of a month are on one invoice, which is issued on its last day."
        : "Each order has its own invoice, which comes with the certificate."}{" "}
      {awaiting}
    </p>
    <Form method="post">
      <CsrfField />
      <ButtonRow>
        <SubmitButton intent={isMonthly ? "invoice-each" : "invoice-monthly"} variant="secondary">
          {isMonthly ? "One invoice for each order" : "One invoice a month"}
        </SubmitButton>
      </ButtonRow>
    </Form>
  </Card>
);

/** A standing authorisation of the company: what it covers, what is used, and a form to order under it. */
export default function StandingAuthorisation() {
  const { page, renewal, years, company, mayOrder, mayEnd, hasKeys } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={ORDER_UNDER_FORM} labels={LABELS} />
      <ErrorSummary formId={END_STANDING_FORM} labels={LABELS} />
      <PageHeader
        title={`Standing authorisation ${page.id}`}
        back={{ to: accountPaths.standingAuthorisations, label: "Standing authorisations" }}
        actions={hasKeys && <LinkButton to={accountPaths.acmeKeys(page.id)}>Automate with ACME</LinkButton>}
      >
        <p>
          Orders of <bdi>{company}</bdi> within it need no check by our staff. Any other order waits for them, and says
          why.
        </p>
      </PageHeader>
      {renewal && <RenewalForm {...renewal} page={page} />}
      <StandingCards page={page} />
      {mayEnd && <InvoicingForm isMonthly={page.isInvoicedMonthly} awaiting={page.awaitingInvoice} />}
      <OrdersUnder orders={page.orders} />
      {mayOrder && !renewal && <OrderForm years={years} page={page} />}
      {mayEnd && <EndStandingForm {...(page.state === "Waiting" ? WITHDRAW : END)} />}
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Standing authorisation ${data.page.id}` : "Standing authorisation",
);

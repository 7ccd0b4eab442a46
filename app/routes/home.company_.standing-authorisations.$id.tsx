import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FieldGroup } from "~/components/forms/field-group";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { TextField } from "~/components/forms/text-field";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { EndStandingForm } from "~/components/standing/end-standing-form";
import { identityFacts, orderFacts, OrdersUnder } from "~/components/standing/standing-parts";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import { endOwnStanding } from "~/domain/certificates/standing/asking.service.server";
import { finishUnder, placeUnder } from "~/domain/certificates/standing/ordering.service.server";
import { END_STANDING_FORM, ORDER_UNDER_FORM, STANDING_LABELS } from "~/domain/certificates/standing/standing";
import { endStandingValidator, orderUnderValidator } from "~/domain/certificates/standing/validators";
import { getOwnStanding } from "~/domain/certificates/standing/views.service.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { placeOnce } from "~/domain/orders/keyed-order.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const LABELS = { csr: "CSR", oftpid: "OFTP ID", usage: "Usage", validityPeriod: "Validity", reason: "Reason" } as const;

const END = { title: "End it", button: "End" } as const;
const WITHDRAW = { title: "Withdraw it", button: "Withdraw" } as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const page = await getOwnStanding(user, readId(params.id));
  const mayOrder = mayAsMember(user, "place-orders") && page.state === "Active";
  const mayEnd = mayAsMember(user, "manage-company") && user.impersonator === null && page.endedAt === null;
  const mayManage = mayAsMember(user, "manage-company");
  return json({ page, company: user.company, mayOrder, mayEnd, hasKeys: mayManage && page.approvedAt !== null });
}

/** Orders a certificate under the standing authorisation, and leads to the page of the order. */
async function order(request: Request, user: SessionUser, id: number, sent: FormData): Promise<Response> {
  const form = await orderUnderValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const { orderId } = await placeOnce(null, (claim) => placeUnder(user, id, { original: null, ...form.data }, claim));
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

export async function action({ request, params }: ActionFunctionArgs) {
  const id = readId(params.id);
  const member = await requireUser(request, "see-company");
  await getOwnStanding(member, id);
  const sent = await readForm(request);
  const isEnd = intentOf(sent, ["order", "end"]) === "end";
  const user = await requireUser(request, isEnd ? "manage-company" : "place-orders");
  return isEnd ? end(request, user, id, sent) : order(request, user, id, sent);
}

/** Orders a certificate with a CSR. */
function OrderForm({
  usages,
  longestYears,
}: {
  usages: readonly (keyof typeof STANDING_LABELS)[];
  longestYears: number;
}) {
  const years = Array.from({ length: longestYears }, (_, index) => ({
    value: String(index + 1),
    label: `${index + 1} ${index === 0 ? "year" : "years"}`,
  }));
  const first = { validityPeriod: "1", ...Object.fromEntries(usages.map((flag) => [flag, "on"])) };
  return (
    <Card title="Order a certificate">
      <PortalForm id={ORDER_UNDER_FORM} validator={orderUnderValidator} defaultValues={first}>
        <TextareaField name="csr" label={LABELS.csr} hint="As PEM, with a new key." rows={8} mono required />
        <TextField name="oftpid" label={LABELS.oftpid} hint="Only when the CSR states none." mono optional />
        <FieldGroup legend={LABELS.usage} errorName="usage">
          {usages.map((flag) => (
            <CheckboxField key={flag} name={flag} label={STANDING_LABELS[flag]} />
          ))}
        </FieldGroup>
        <SelectField name="validityPeriod" label={LABELS.validityPeriod} options={years} required />
        <ButtonRow>
          <SubmitButton intent="order" busyText="Ordering…">
            Order now
          </SubmitButton>
        </ButtonRow>
      </PortalForm>
    </Card>
  );
}

/** A standing authorisation of the company: what it covers, what is used, and a form to order under it. */
export default function StandingAuthorisation() {
  const { page, company, mayOrder, mayEnd, hasKeys } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <ErrorSummary formId={ORDER_UNDER_FORM} labels={LABELS} />
      <ErrorSummary formId={END_STANDING_FORM} labels={LABELS} />
      <PageHeader
        title={`Standing authorisation ${page.id}`}
        back={{ to: accountPaths.standingAuthorisations, label: "Standing authorisations" }}
        actions={hasKeys && <LinkButton to={accountPaths.acmeKeys(page.id)}>ACME keys</LinkButton>}
      >
        <p>
          Orders of <bdi>{company}</bdi> within it need no check by our staff. Any other order waits for them, and says
          why.
        </p>
      </PageHeader>
      <Card title="What may be ordered">
        <DescriptionList hideEmpty items={orderFacts(page)} />
      </Card>
      <Card title="For whom">
        <DescriptionList hideEmpty items={identityFacts(page)} />
      </Card>
      <OrdersUnder orders={page.orders} />
      {mayOrder && <OrderForm usages={page.usages} longestYears={page.longestYears} />}
      {mayEnd && <EndStandingForm {...(page.state === "Waiting" ? WITHDRAW : END)} />}
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data ? `Standing authorisation ${data.page.id}` : "Standing authorisation",
);

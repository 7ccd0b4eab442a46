import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { RowRenewalForm } from "~/components/certificates/certificate-menu";
import { CertificatesTable } from "~/components/certificates/certificate-table";
import { CertificateStateFilter, ExpiryFilter, TagFilter } from "~/components/certificates/expiry-filter";
import { NoCertificates } from "~/components/certificates/no-certificates";
import { PreparedRenewals } from "~/components/certificates/prepared-renewals";
import { ElsewhereNote } from "~/components/companies/elsewhere-note";
import { ALL_COMPANIES, ShownCompanyNote } from "~/components/companies/shown-company-note";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { fieldId } from "~/components/forms/form-id";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { LinkButton } from "~/components/ui/buttons";
import { DownloadLink } from "~/components/ui/download-link";
import { NewTabLink } from "~/components/ui/new-tab-link";
import { PageHeader } from "~/components/ui/page-header";
import { may } from "~/domain/accounts/rights.policy";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import {
  countListStates,
  intentsFor,
  listCertificatesFor,
  requireRowIntent,
  type RowIntent,
} from "~/domain/certificates/catalogue/list.service.server";
import { listPreparedRenewals } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { startRenewal } from "~/domain/certificates/succession/renewal.service.server";
import { rowChoiceValidator as validator } from "~/domain/certificates/validators";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { elsewhereOf } from "~/http/elsewhere.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";

const FORM = "certificates";

const destinations = {
  view: paths.certificateDetails,
  download: paths.certificateDownload,
  revoke: paths.certificateRevoke,
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const params = certificateList.read(new URL(request.url).searchParams);
  return json({
    ...(await listCertificatesFor(user, params)),
    states: await countListStates(user, params),
    seesAll: may(user, "see-customers"),
    mayOrder: mayAsMember(user, "place-orders"),
    intents: intentsFor(user),
    prepared: await listPreparedRenewals(user),
    elsewhere: await elsewhereOf(request, user),
  });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const { id, intent } = form.data;
  try {
    const { orderId } = await requireRowIntent(user, id, intent);
    if (intent === "renew")
      return redirect(paths.certificateWizard("renew", "contact-details", await startRenewal(user, orderId)), 303);
    const params = certificateList.read(new URL(request.url).searchParams);
    return redirect(certificateList.addTo(destinations[intent](id), params, { selected: id }), 303);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

const INTENT_LABELS = {
  view: "View Details",
  download: "Download",
  renew: "Renew",
  revoke: "Revoke",
} as const satisfies Record<RowIntent, string>;

/** Returns what can be done with the certificates of the list, in a sentence. */
function introductionFor(intents: readonly RowIntent[]): string {
  const [renews, revokes] = [intents.includes("renew"), intents.includes("revoke")];
  if (renews && revokes) return "Download, renew or revoke the certificates you have purchased.";
  if (revokes) return "Download or revoke the certificates of your company.";
  if (renews)
    return "Download the certificates of your company, or prepare their renewal for a colleague who completes the order.";
  return intents.includes("download")
    ? "Download the certificates of your company."
    : "See the certificates of your company, and when they end.";
}

/** The search and the filters without the page and the selection. */
const WHOLE_LIST = { page: 1, size: 10, selected: null };

export default function Certificates() {
  const { rows, total, hasMore, pages, params, seesAll, mayOrder, intents, ...list } = useLoaderData<typeof loader>();
  const refusal = useActionData<Partial<ValidationErrorResponseData>>();
  const { prepareCsrLink } = useShell().portal.links;
  const refusedId = (refusal?.repopulateFields as { id?: unknown } | undefined)?.id;
  const chosen = typeof refusedId === "string" ? refusedId : params.selected;
  const kept = certificateList.query(params, { page: 1, size: 10, search: "", selected: null });

  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={{ id: "" }} />
      <PageHeader
        title="Certificates"
        actions={
          <>
            {!seesAll && <LinkButton to={paths.orders}>Orders</LinkButton>}
            {mayOrder && (
              <LinkButton to={paths.certificatePurchase("contact-details")} variant="primary">
                Purchase New Certificate
              </LinkButton>
            )}
          </>
        }
      >
        <p>
          {introductionFor(intents)}
          {intents.includes("renew") && (
            <>
              {" Please have a certificate signing request (CSR) ready: "}
              <NewTabLink href={prepareCsrLink}>Prepare CSR</NewTabLink>.
            </>
          )}
        </p>
      </PageHeader>
      {list.shownCompany && (
        <ShownCompanyNote
          company={list.shownCompany}
          all={certificateList.href(params, { ...ALL_COMPANIES, selected: null })}
        />
      )}
      {list.prepared.length > 0 && <PreparedRenewals rows={list.prepared} mayOrder={mayOrder} />}
      {list.elsewhere && <ElsewhereNote {...list.elsewhere} />}
      <ListToolbar
        search={params.search}
        searchHint="Names, numbers, the name or email of the authentication contact. Dates must be typed DD/MM/YYYY"
        size={params.size}
        keep={kept}
      />
      <CertificateStateFilter params={params} states={list.states} />
      <ExpiryFilter params={params} />
      <TagFilter params={params} tags={list.tags} />
      <PortalForm id={FORM} validator={validator} className="stack-l" defaultIntent="view">
        <CertificatesTable
          id={fieldId(FORM, "id")}
          rows={rows}
          total={total}
          hasMore={hasMore}
          params={params}
          withCompany={seesAll}
          withOrderer={list.withOrderer}
          selected={chosen === null ? null : String(chosen)}
          empty={<NoCertificates params={params} mayOrder={mayOrder && !seesAll} />}
        />
        <Pagination
          page={params.page}
          pages={pages}
          hasMore={hasMore}
          href={(page) => certificateList.href(params, { page, selected: null })}
          label="Certificates pages"
        />
        {total > 0 && (
          <ul className="row no-print" role="list">
            <li>
              <DownloadLink href={certificateList.addTo(rarePaths.certificatesFile, params, WHOLE_LIST)}>
                List as a CSV file
              </DownloadLink>
            </li>
            {intents.includes("download") && (
              <li>
                <DownloadLink href={certificateList.addTo(rarePaths.certificatesArchive, params, WHOLE_LIST)}>
                  All files in one ZIP archive
                </DownloadLink>
              </li>
            )}
            {mayOrder && intents.includes("renew") && (
              <li>
                <Link to={certificateList.addTo(certificatePaths.renewals, params, WHOLE_LIST)}>
                  Renew several with one form
                </Link>
              </li>
            )}
          </ul>
        )}
        <RowActions
          formId={FORM}
          name="id"
          actions={total > 0 ? intents.map((intent) => ({ intent, label: INTENT_LABELS[intent] })) : []}
          reasons={Object.fromEntries(rows.map((row) => [String(row.id), row.barriers as Record<string, string>]))}
          back={{ to: paths.dashboard, label: "Back" }}
        />
      </PortalForm>
      {intents.includes("renew") && <RowRenewalForm />}
    </div>
  );
}

export const meta = pageTitle("Certificates");

import { PACK_FIELDS, type PackErrors, type PackQuery } from "~/domain/evidence/pack-query";
import { type PackPlan } from "~/domain/evidence/pack.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { DAY_FORMAT } from "../forms/date-fields";
import { namedMessage } from "../forms/field-label";
import { fieldId } from "../forms/form-id";
import { SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";
import { DownloadLink } from "../ui/download-link";
import { Note } from "../ui/note";

const FORM = "pack";

const LABELS = { certificate: "Certificate", company: "Company", from: "From", to: "To" };

const HINTS = { certificate: "ID or serial number", company: "Number or name", from: DAY_FORMAT, to: DAY_FORMAT };

/** Returns the errors for the summary above the page's heading. */
export const packSummary = (errors: PackErrors) =>
  PACK_FIELDS.flatMap((name) => {
    const message = errors[name];
    return message ? [{ message: namedMessage(LABELS[name], message), href: `#${fieldId(FORM, name)}` }] : [];
  });

/** What the pack contains that was asked for, with the link that makes it. */
export const PackPlanNote = ({ plan: { title, text, href } }: { plan: PackPlan }) => (
  <Note title={title}>
    <p>{text}</p>
    <p>
      <DownloadLink className="btn primary" href={href}>
        Make and download
      </DownloadLink>
    </p>
  </Note>
);

/** Asks what a pack is about. The address has the answer, and the page says what the pack contains. */
export const PackForm = ({ values, errors }: { values: PackQuery; errors: PackErrors }) => (
  <SearchForm className="form" noValidate>
    <SearchFields
      formId={FORM}
      fields={PACK_FIELDS.map((name) => ({
        name,
        label: LABELS[name],
        hint: HINTS[name],
        isDay: name === "from" || name === "to",
        maxLength: SEARCH_LIMIT,
      }))}
      values={values}
      errors={errors}
      className="pairs"
    />
  </SearchForm>
);

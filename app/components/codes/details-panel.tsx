import { type CodePage } from "~/domain/codes/code-page.server";
import { CompanyLink } from "../companies/names";
import { HiddenField } from "../forms/portal-field";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { CODE_LABELS } from "./code-form";
import { EntityTypeFields } from "./entity-type-fields";

/** The help texts of a code's details, by the names under which the specification lists them (GEN-06). */
export const CODE_HELP = {
  codeVat:
    "The entity's number for value added tax, with the prefix of its country. It is stored as typed and not checked with the authorities.",
  shortName: "The short name by which partners know the entity.",
  tradeName: "The name under which the entity does business, if it is not its legal name.",
  dunsNumber: "The D-U-N-S number: nine digits by which Dun & Bradstreet identifies the entity.",
  directParentId: "The OSCAR code, four characters, of the entity that owns this one.",
  domesticUltimateParentId: "The highest company of the group in the entity's own country.",
  globalUltimateParentId: "The highest company of the whole group, in any country.",
  subCode: "Any 2 alphanumeric characters (numeric recommended).",
} as const;

type Props = Pick<
  CodePage,
  "code" | "parent" | "parentNote" | "expiryWarning" | "codeType" | "owner" | "mayEdit" | "rules" | "entityTypes"
>;

const GIVEN_LATER = "Assigned when it is registered";
const mono = (text: string) => <span className="mono">{text}</span>;

function Facts({ code, parent, codeType, owner }: Pick<Props, "code" | "parent" | "codeType" | "owner">) {
  return (
    <DescriptionList
      items={[
        { term: "Full code", detail: code ? mono(code.fullCode) : GIVEN_LATER },
        ...(parent ? [{ term: "Parent code", detail: mono(parent.fullCode) }] : []),
        { term: "Code type", detail: codeType },
        { term: "SSID (OFTP code)", detail: code ? mono(code.oftpIdentifier) : GIVEN_LATER },
        {
          term: "Legal company name",
          detail: owner.shownCompany ? <CompanyLink {...owner.shownCompany} /> : owner.company,
        },
        { term: "Company registration number", detail: owner.companyRegistrationNumber },
        { term: "Tax registration number", detail: owner.taxNumber },
        ...(owner.registeredBy === null ? [] : [{ term: "Registered by", detail: <bdi>{owner.registeredBy}</bdi> }]),
      ]}
    />
  );
}

function StatusField({ rules, mayEdit, expiryWarning }: Pick<Props, "rules" | "mayEdit" | "expiryWarning">) {
  if (!rules.statuses || !mayEdit) return <TextField name="status" label={CODE_LABELS.status} disabled />;
  return (
    <SelectField
      name="status"
      label={CODE_LABELS.status}
      hint={expiryWarning || undefined}
      placeholder="Select status"
      options={rules.statuses.map((status) => ({ value: status, label: status }))}
    />
  );
}

/** The panel Details (COD-03). */
export function DetailsPanel({ rules, mayEdit, entityTypes, ...page }: Props) {
  return (
    <Card title="Details">
      <Facts {...page} />
      <fieldset className="group" disabled={!mayEdit}>
        <legend className="vh">Details of the entity</legend>
        <HiddenField name="version" />
        {page.parent && rules.asksSubcode && (
          <TextField
            name="subcode"
            label={CODE_LABELS.subcode}
            hint={`${CODE_HELP.subCode} They follow the code ${page.parent.code} and stay with this entity for ever.`}
            maxLength={2}
            autoComplete="off"
            mono
            required
          />
        )}
        {page.code?.subcode && <SubcodeShown subcode={page.code.subcode} />}
        <TextField name="entityName" label={CODE_LABELS.entityName} maxLength={70} required />
        <TextField name="shortName" label={CODE_LABELS.shortName} hint={CODE_HELP.shortName} maxLength={70} optional />
        <TextField name="tradeName" label={CODE_LABELS.tradeName} hint={CODE_HELP.tradeName} maxLength={70} optional />
        <StatusField rules={rules} mayEdit={mayEdit} expiryWarning={page.expiryWarning} />
        <TextField name="vatNumber" label={CODE_LABELS.vatNumber} help={CODE_HELP.codeVat} maxLength={17} optional />
        <TextField
          name="directParentId"
          label={CODE_LABELS.directParentId}
          hint={[CODE_HELP.directParentId, page.parentNote].filter(Boolean).join(" ")}
          maxLength={4}
          autoComplete="off"
          mono
          optional
        />
        <TextField
          name="domesticParentId"
          label={CODE_LABELS.domesticParentId}
          hint={CODE_HELP.domesticUltimateParentId}
          maxLength={70}
          optional
        />
        <TextField
          name="globalParentId"
          label={CODE_LABELS.globalParentId}
          hint={CODE_HELP.globalUltimateParentId}
          maxLength={70}
          optional
        />
        <TextField
          name="dunsNumber"
          label={CODE_LABELS.dunsNumber}
          hint={CODE_HELP.dunsNumber}
          maxLength={18}
          optional
        />
        <EntityTypeFields offered={entityTypes} disabled={rules.entityTypes === null} />
      </fieldset>
    </Card>
  );
}

function SubcodeShown({ subcode }: { subcode: string }) {
  return (
    <div className="field">
      <label htmlFor="subcode-shown">{CODE_LABELS.subcode}</label>
      <input id="subcode-shown" className="mono" defaultValue={subcode} disabled />
    </div>
  );
}

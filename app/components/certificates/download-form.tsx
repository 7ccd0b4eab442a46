import { useRef, useState } from "react";
import {
  CERTIFICATE_TYPES,
  type ChoiceProblem,
  type DownloadChoice,
  type Encoding,
  ENCODINGS,
  EXTENSIONS,
  isMatching,
} from "~/domain/certificates/download-choice";
import { paths } from "~/lib/paths";
import { Field } from "../field";
import { FieldError } from "../field-error";

export const DOWNLOAD_FORM = "download";
const idOf = (name: string) => `${DOWNLOAD_FORM}-${name}`;

interface Props {
  certificateId: number;
  choice: DownloadChoice;
  problem: ChoiceProblem | null;
  children: React.ReactNode;
}

interface RadiosProps {
  name: string;
  legend: string;
  options: readonly { value: string; label: string; hint?: string }[];
  chosen: string;
  error?: string | undefined;
  onChoose?: (value: string) => void;
}

function Radios({ name, legend, options, chosen, error, onChoose }: RadiosProps) {
  return (
    <fieldset className="field" aria-describedby={error && `${idOf(name)}-error`}>
      <legend>{legend}</legend>
      <FieldError fieldId={idOf(name)} error={error} />
      {options.map(({ value, label, hint }, index) => {
        const id = index === 0 ? idOf(name) : `${idOf(name)}-${value}`;
        return (
          <div className="check" key={value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={value}
              defaultChecked={value === chosen}
              aria-describedby={hint && `${id}-note`}
              onChange={() => onChoose?.(value)}
            />
            <label htmlFor={id}>
              {label}
              {hint && (
                <span className="sub hint" id={`${id}-note`}>
                  {hint}
                </span>
              )}
            </label>
          </div>
        );
      })}
    </fieldset>
  );
}

/** A plain GET form, because its answer is a file. With scripts only extensions that match the encoding can be chosen. */
export function DownloadForm({ certificateId, choice, problem, children }: Props) {
  const [encoding, setEncoding] = useState<Encoding | null>(null);
  const extension = useRef<HTMLSelectElement>(null);
  const errorAt = (field: string) => (problem?.field === field ? problem.message : undefined);

  const chooseEncoding = (value: string) => {
    const chosen: Encoding = value === "DER" ? "DER" : "PEM";
    setEncoding(chosen);
    const select = extension.current;
    if (select && EXTENSIONS.some((known) => known === select.value && !isMatching(known, chosen)))
      select.value = "CER";
  };

  const extensionError = errorAt("fileExtension");
  return (
    <form id={DOWNLOAD_FORM} className="form" method="get" action={paths.certificateFile(certificateId)} noValidate>
      <Radios name="certificateType" legend="Certificate" options={CERTIFICATE_TYPES} chosen={choice.certificateType} />
      <Radios
        name="encoding"
        legend="Encoding"
        options={ENCODINGS.map((value) => ({ value, label: value }))}
        chosen={choice.encoding}
        error={errorAt("encoding")}
        onChoose={chooseEncoding}
      />
      <Field id={idOf("fileExtension")} label="Extension" hint="A PKCS#7 bundle is always .p7b." error={extensionError}>
        <select
          ref={extension}
          id={idOf("fileExtension")}
          name="fileExtension"
          defaultValue={choice.fileExtension}
          aria-invalid={extensionError ? true : undefined}
          aria-describedby={[`${idOf("fileExtension")}-hint`, extensionError && `${idOf("fileExtension")}-error`]
            .filter(Boolean)
            .join(" ")}
        >
          {EXTENSIONS.map((value) => (
            <option key={value} disabled={encoding !== null && !isMatching(value, encoding)}>
              {value}
            </option>
          ))}
        </select>
      </Field>
      {children}
    </form>
  );
}

import { useState } from "react";
import {
  CERTIFICATE_TYPES,
  CHAIN_IS_PEM,
  type ChoiceProblem,
  type DownloadChoice,
  ENCODINGS,
  encodingsOf,
  EXTENSIONS,
  extensionsOf,
  possibleChoice,
  readDownloadChoice,
} from "~/domain/certificates/catalogue/download-choice";
import { rarePaths } from "~/lib/rare-paths";
import { Field } from "../forms/field";
import { FieldError } from "../forms/field-error";
import { useHasScripts } from "../ui/has-scripts";

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
  options: readonly { value: string; label: string; hint?: string; disabled?: boolean }[];
  chosen: string;
  error?: string | undefined;
  onChoose: (value: string) => void;
}

function Radios({ name, legend, options, chosen, error, onChoose }: RadiosProps) {
  return (
    <fieldset className="field" aria-describedby={error && `${idOf(name)}-error`}>
      <legend>{legend}</legend>
      <FieldError fieldId={idOf(name)} error={error} />
      {options.map(({ value, label, hint, disabled }, index) => {
        const id = index === 0 ? idOf(name) : `${idOf(name)}-${value}`;
        return (
          <div className="check" key={value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={value}
              checked={value === chosen}
              disabled={disabled}
              aria-describedby={hint && `${id}-note`}
              onChange={() => onChoose(value)}
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

/**
 * A plain GET form, because the answer is a file. With scripts, only combinations for which there is a file can be chosen. Without scripts
 * the server says that there is no such file. The extension of a bundle need not be chosen.
 */
export function DownloadForm({ certificateId, choice, problem, children }: Props) {
  const [changed, setChanged] = useState(choice);
  const hasScripts = useHasScripts();
  const chosen = hasScripts ? possibleChoice(changed) : choice;
  const isPossible = <T,>(possible: readonly T[], value: T) => !hasScripts || possible.includes(value);
  const change = (query: Record<string, string>) =>
    setChanged(readDownloadChoice(new URLSearchParams({ ...chosen, ...query })));

  const extensionError = problem?.field === "fileExtension" ? problem.message : undefined;
  return (
    <form id={DOWNLOAD_FORM} className="form" method="get" action={rarePaths.certificateFile(certificateId)} noValidate>
      <Radios
        name="certificateType"
        legend="Certificate"
        options={CERTIFICATE_TYPES}
        chosen={chosen.certificateType}
        onChoose={(certificateType) => change({ certificateType })}
      />
      <Radios
        name="encoding"
        legend="Encoding"
        options={ENCODINGS.map((value) =>
          isPossible(encodingsOf(chosen), value)
            ? { value, label: value }
            : { value, label: value, hint: CHAIN_IS_PEM, disabled: true },
        )}
        chosen={chosen.encoding}
        error={problem?.field === "encoding" ? problem.message : undefined}
        onChoose={(encoding) => change({ encoding })}
      />
      <Field id={idOf("fileExtension")} label="Extension" error={extensionError} className="when-no-bundle">
        <select
          id={idOf("fileExtension")}
          name="fileExtension"
          value={chosen.fileExtension}
          onChange={({ target }) => change({ fileExtension: target.value })}
          aria-invalid={extensionError ? true : undefined}
          aria-describedby={extensionError && `${idOf("fileExtension")}-error`}
        >
          {EXTENSIONS.map((value) => (
            <option key={value} disabled={!isPossible(extensionsOf(chosen), value)}>
              {value}
            </option>
          ))}
        </select>
      </Field>
      {children}
    </form>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { chooseFilesToImport } from "./choose-files.ts";
import { exportFile } from "./transfers.ts";

interface TransferMenuProps {
  /** Returns the list's filters for the API, as of now. */
  query: () => Record<string, string | undefined>;
  /** The same for its table: with the order and the columns. */
  table: () => Record<string, string | undefined>;
  /** Whether any filter is set. */
  isFiltered: boolean;
  /** Whether any conversation matches. */
  isEmpty: boolean;
}

/** The menu for import and export. */
export function TransferMenu({ query, table, isFiltered, isEmpty }: TransferMenuProps) {
  const t = useTranslations("transfer.menu");
  return (
    <Menu
      align="end"
      label={t("label")}
      trigger={<Icon name="more" />}
      className="inline-flex size-7.5 phone:size-11 flex-none items-center justify-center rounded-2 border border-line-strong text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg"
    >
      <RequirePermission permission="ingest" otherwise="nothing">
        <MenuItem onSelect={chooseFilesToImport}>
          <Icon name="import" size={14} className="text-fg-3" />
          {t("import")}
        </MenuItem>
      </RequirePermission>
      <MenuItem
        disabled={isEmpty}
        onSelect={() => void exportFile("/api/export", { name: exportName(new Date()), query: query() })}
      >
        <Icon name="export" size={14} className="text-fg-3" />
        {t(isFiltered ? "exportFound" : "exportAll")}
      </MenuItem>
      <MenuItem
        disabled={isEmpty}
        onSelect={() => void exportFile("/api/export/csv", { name: exportName(new Date(), "csv"), query: table() })}
      >
        <Icon name="table" size={14} className="text-fg-3" />
        {t("exportTable")}
      </MenuItem>
    </Menu>
  );
}

function exportName(now: Date, ending = "ndjson"): string {
  return `obelus-${now.toISOString().slice(0, 10)}.${ending}`;
}

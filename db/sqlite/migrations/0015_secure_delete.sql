-- No table changes: what was freed before is still in the file, which the next start writes anew once (`owed.ts`).
SELECT 1;

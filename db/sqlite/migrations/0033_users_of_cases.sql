ALTER TABLE `suite_cases` ADD `users` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
UPDATE `suite_cases` SET `users` = coalesce((SELECT json_array(`summary` ->> '$.user_id') FROM `conversations`
  WHERE `conversations`.`id` = `conversation_id` AND `summary` ->> '$.user_id' IS NOT NULL), '[]');

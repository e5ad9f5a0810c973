;; Open the manifest, wait for diagnostics, and print them with their places.
(setq eglot-sync-connect 30)
(find-file "crontab.yaml")
(unless (eglot-managed-p) (call-interactively 'eglot)) ; nobody is idle in a batch
(let ((end (+ (float-time) 60)))
  (while (and (< (float-time) end) (not (flymake-diagnostics)))
    (accept-process-output nil 0.1)
    (flymake-start)))
(dolist (d (flymake-diagnostics))
  (goto-char (flymake-diagnostic-beg d))
  (princ (format "%d:%d %s\n" (line-number-at-pos) (1+ (- (point) (line-beginning-position)))
                 (replace-regexp-in-string "^prune-gen \\[\\(.*?\\)\\]:" "\\1" (car (split-string (flymake-diagnostic-text d) "\n"))))))
